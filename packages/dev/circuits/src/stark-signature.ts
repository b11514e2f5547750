import { ec, typedData, type TypedData } from 'starknet';

import { CircuitError } from './errors.js';

const HEX = /^0x[0-9a-fA-F]{1,64}$/;

/** What an account has signed, as the relayer answers it. */
export interface StarkSigned {
  /** The account whose key signed it. */
  readonly signer: string;
  /** r and s. */
  readonly signature: readonly string[];
}

/** Fields of a SNIP-12 domain, revision 1. */
export const SNIP_12_DOMAIN = [
  { name: 'name', type: 'shortstring' },
  { name: 'version', type: 'shortstring' },
  { name: 'chainId', type: 'shortstring' },
  { name: 'revision', type: 'shortstring' },
];

/**
 * The chain knows a key by its x coordinate only, so either of the two points there may have
 * signed.
 * @throws CircuitError SIGNER_KEY_MALFORMED when the key is no x coordinate of the Stark curve
 */
export function keysAt(x: string): readonly string[] {
  try {
    if (!HEX.test(x)) throw new RangeError('not 0x hex');
    const hex = x.slice(2).padStart(64, '0');
    return [`02${hex}`, `03${hex}`].map((point) =>
      ec.starkCurve.ProjectivePoint.fromHex(point).toHex(),
    );
  } catch (cause) {
    throw new CircuitError(
      'SIGNER_KEY_MALFORMED',
      'the key is no x coordinate of the Stark curve',
      { cause },
    );
  }
}

/**
 * starknet.js throws for felts, halves and signatures outside their ranges: such values are no
 * valid signature.
 */
export function isSignedBy(
  keys: readonly string[],
  { signer, signature }: StarkSigned,
  message: () => TypedData,
): boolean {
  try {
    const hash = typedData.getMessageHash(message(), felt(signer));
    const [r = '', s = '', ...rest] = signature;
    if (rest.length > 0) return false;
    const signed = new ec.starkCurve.Signature(BigInt(felt(r)), BigInt(felt(s)));
    return keys.some((key) => ec.starkCurve.verify(signed, hash, key));
  } catch {
    return false;
  }
}

/** @throws RangeError for anything but 0x hex */
export function felt(text: string): string {
  if (!HEX.test(text)) throw new RangeError('expected 0x hex');
  return text;
}
