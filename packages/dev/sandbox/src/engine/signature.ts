import { ec } from 'starknet';
import { toHex } from './felt.js';
import { remembered } from './remembered.js';

/** Storage key of the public key in the account model. */
export const PUBLIC_KEY = 'public_key';

/**
 * Returns true if `signature` is the [r, s] of the key's owner for `messageHash`. The chain stores
 * only the x coordinate of a public key, so both points with this coordinate are tried.
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

/** Signs `messageHash` and returns [r, s]. */
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

/**
 * Verifies a signature. The result is cached, since gateway, simulation and execution verify the
 * same signature.
 */
const verifies = remembered(
  ({ point, messageHash, r, s }: Signature): boolean => {
    try {
      return ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), toHex(messageHash), point);
    } catch {
      // The curve library throws if r or s is out of range, or if no point has this x.
      return false;
    }
  },
  ({ point, messageHash, r, s }) => `${point},${messageHash},${r},${s}`,
);
