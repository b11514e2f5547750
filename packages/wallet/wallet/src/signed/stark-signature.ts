import { Point, Signature, verify } from '@scure/starknet';

import { WalletError } from '../errors.js';
import { felt, messageHash, type TypedStruct } from './snip-12.js';

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/** Signature of an account, in the format of the relayer's replies. */
export interface StarkSigned {
  /** Address of the account whose key signed the message. */
  readonly signer: string;
  /** Numbers r and s of the signature. */
  readonly signature: readonly string[];
}

/**
 * Returns both public keys with this x coordinate. The chain stores only x, so either key may have
 * signed.
 * @throws WalletError SIGNER_KEY_MALFORMED if x is not a coordinate of the Stark curve
 */
export function keysAt(x: string): readonly string[] {
  try {
    if (!HEX.test(x)) throw new RangeError('not 0x hex');
    const hex = x.slice(2).padStart(64, '0');
    const point = Point.fromHex(`02${hex}`);
    // Return uncompressed keys. With compressed keys, each check would compute a square root, which
    // would cost more than the check itself.
    return [point, point.negate()].map((key) => key.toHex(false));
  } catch (cause) {
    throw new WalletError('SIGNER_KEY_MALFORMED', 'the key is no x coordinate of the Stark curve', {
      cause,
    });
  }
}

/** Signed message and its chain (0x hex). */
export interface SignedMessage {
  readonly chainId: string;
  readonly struct: TypedStruct;
}

/**
 * Verifies that one of the keys signed the message.
 * @param message function that builds the message; it may throw if the signed data can't be a
 *   message
 * @throws WalletError SIGNATURE_FORGED if none of the keys signed the message
 */
export function checkSignature(
  keys: readonly string[],
  signed: StarkSigned,
  message: () => SignedMessage,
): void {
  if (!isSignedBy(keys, signed, message))
    throw new WalletError('SIGNATURE_FORGED', 'the signature is not the key’s');
}

/**
 * Returns true if one of the keys signed the hash. If r or s is out of range, the library throws,
 * and the result is false.
 */
function isSignedBy(
  keys: readonly string[],
  signed: StarkSigned,
  message: () => SignedMessage,
): boolean {
  try {
    const { signer, signature } = signed;
    const { chainId, struct } = message();
    const hash = messageHash(struct, { chainId, signer }).toString(16).padStart(64, '0');
    const [r = '', s = '', ...rest] = signature;
    if (rest.length > 0) return false;
    const rs = new Signature(felt(r), felt(s));
    return keys.some((key) => verify(rs, hash, key));
  } catch {
    return false;
  }
}
