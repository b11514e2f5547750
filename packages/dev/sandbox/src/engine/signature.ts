import { ec } from 'starknet';
import { toHex } from './felt.js';
import { remembered } from './remembered.js';

/** Storage key of the account model's public key. */
export const PUBLIC_KEY = 'public_key';

/**
 * Returns true if `signature` is [r, s] of the key's owner over `messageHash`. The chain knows only
 * the x coordinate of a public key, so both of its points are tried.
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

/** Signs `messageHash`; returns [r, s]. */
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

/** Cached, since gateway, simulation and execution verify the same signature. */
const verifies = remembered(
  ({ point, messageHash, r, s }: Signature): boolean => {
    try {
      return ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), toHex(messageHash), point);
    } catch {
      // The curve library throws for an out-of-range r or s, or an x that is on no point.
      return false;
    }
  },
  ({ point, messageHash, r, s }) => `${point},${messageHash},${r},${s}`,
);
