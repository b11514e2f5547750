import { Point, Signature, verify } from '@scure/starknet';

import { WalletError } from '../errors.js';
import { felt, messageHash, type TypedStruct } from './snip-12.js';

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/** What an account has signed, as the relayer answers it. */
export interface StarkSigned {
  /** The account whose key signed it. */
  readonly signer: string;
  /** r and s. */
  readonly signature: readonly string[];
}

/**
 * The chain knows a key by its x coordinate only, so either of the two points there may have
 * signed.
 * @throws WalletError SIGNER_KEY_MALFORMED when the key is no x coordinate of the Stark curve
 */
export function keysAt(x: string): readonly string[] {
  try {
    if (!HEX.test(x)) throw new RangeError('not 0x hex');
    const hex = x.slice(2).padStart(64, '0');
    const point = Point.fromHex(`02${hex}`);
    // Uncompressed: a square root for each check would take longer than the check.
    return [point, point.negate()].map((key) => key.toHex(false));
  } catch (cause) {
    throw new WalletError('SIGNER_KEY_MALFORMED', 'the key is no x coordinate of the Stark curve', {
      cause,
    });
  }
}

/** What was signed, and for which chain (0x hex). */
export interface SignedMessage {
  readonly chainId: string;
  readonly struct: TypedStruct;
}

/**
 * @param message may throw for what can't be a message at all
 * @throws WalletError SIGNATURE_FORGED when none of the keys has signed the message
 */
export function checkSignature(
  keys: readonly string[],
  signed: StarkSigned,
  message: () => SignedMessage,
): void {
  if (!isSignedBy(keys, signed, message))
    throw new WalletError('SIGNATURE_FORGED', 'the signature is not the key’s');
}

/** Values outside their ranges throw: they are no valid signature. */
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
