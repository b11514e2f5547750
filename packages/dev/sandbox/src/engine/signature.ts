import { ec } from 'starknet';
import { toHex } from './felt.js';
import { remembered } from './remembered.js';

/** Storage key under which the account model keeps its public key. */
export const PUBLIC_KEY = 'public_key';

/**
 * Whether `signature` is [r, s] of the key's owner over `messageHash`.
 * The chain knows only the x coordinate of a public key, so either of its two points may have
 * signed.
 */
export function isSignedBy(
  publicKey: bigint,
  messageHash: bigint,
  signature: readonly bigint[],
): boolean {
  const [r, s, ...rest] = signature;
  if (r === undefined || s === undefined || rest.length > 0) return false;
  const x = publicKey.toString(16).padStart(64, '0');
  return [`02${x}`, `03${x}`].some((point) => verifies({ point, messageHash, r, s }));
}

/** The owner's signature over `messageHash`: [r, s]. */
export function signWith(privateKey: bigint, messageHash: bigint): bigint[] {
  const { r, s } = ec.starkCurve.sign(toHex(messageHash), toHex(privateKey));
  return [r, s];
}

interface Signature {
  readonly point: string;
  readonly messageHash: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** Gateway, simulation and execution ask about the same signature. */
const verifies = remembered(
  ({ point, messageHash, r, s }: Signature): boolean => {
    try {
      return ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), toHex(messageHash), point);
    } catch {
      // Out-of-range r or s, or an x that is on no point: the curve library throws instead of
      // answering.
      return false;
    }
  },
  ({ point, messageHash, r, s }) => `${point},${messageHash},${r},${s}`,
);
