import { keccak, poseidonHashMany } from '@scure/starknet';

import { STARKNET_FIELD } from '../fields.js';

/**
 * Struct to hash by SNIP-12 (revision 1): its type as text, then its fields in the sequence of the
 * type.
 */
export interface TypedStruct {
  /**
   * Encoded type, including the types that it references: `"A"("b":"u256")"u256"("low":"u128",…)`.
   */
  readonly type: string;
  /**
   * Values of the fields, encoded by {@link felt}, {@link text}, {@link u256} and {@link
   * timestamp}.
   */
  readonly fields: readonly bigint[];
}

export const U256_TYPE = '"u256"("low":"u128","high":"u128")';

const DOMAIN_TYPE =
  '"StarknetDomain"("name":"shortstring","version":"shortstring","chainId":"shortstring","revision":"shortstring")';
const HEX = /^0x[0-9a-fA-F]{1,64}$/;
const DIGITS = /^[0-9]{1,78}$/;
const PRINTABLE = /^[ -~]*$/;
const HALF = 1n << 128n;
const WORD_BYTES = 31;

/**
 * Computes the hash that an account signs for `message`, in the service's domain (Sotto, version
 * 1).
 * @throws RangeError if chain or signer is not a felt
 */
export function messageHash(
  message: TypedStruct,
  { chainId, signer }: { readonly chainId: string; readonly signer: string },
): bigint {
  const domain = {
    type: DOMAIN_TYPE,
    // Encode version and revision as numbers, as all SNIP-12 libraries do.
    fields: [shortString('Sotto'), 1n, felt(chainId), 1n],
  };
  return poseidonHashMany([
    shortString('StarkNet Message'),
    structHash(domain),
    felt(signer),
    structHash(message),
  ]);
}

/** @throws RangeError unless the text is 0x hex below the field's order */
export function felt(hex: string): bigint {
  if (!HEX.test(hex)) throw new RangeError('expected 0x hex');
  const value = BigInt(hex);
  if (value >= STARKNET_FIELD) throw new RangeError('expected a felt');
  return value;
}

/** @throws RangeError unless the text is printable ASCII */
export function text(value: string): bigint {
  if (typeof value !== 'string' || !PRINTABLE.test(value))
    throw new RangeError('expected printable ASCII text');
  const whole = Math.floor(value.length / WORD_BYTES);
  const words = Array.from({ length: whole }, (_, word) =>
    shortString(value.slice(word * WORD_BYTES, (word + 1) * WORD_BYTES)),
  );
  const rest = value.slice(whole * WORD_BYTES);
  return poseidonHashMany([BigInt(whole), ...words, shortString(rest), BigInt(rest.length)]);
}

/** @throws RangeError if the number has more than 256 bits */
export function u256(value: bigint): bigint {
  if (value < 0n || value >= HALF * HALF) throw new RangeError('expected 256 bits');
  return structHash({ type: U256_TYPE, fields: [value % HALF, value / HALF] });
}

/** @throws RangeError unless the value is a whole number of seconds */
export function timestamp(seconds: number): bigint {
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError('expected whole seconds');
  return BigInt(seconds);
}

/** @throws RangeError unless the text has only decimal digits */
export function digits(value: string): bigint {
  if (!DIGITS.test(value)) throw new RangeError('expected decimal digits');
  return BigInt(value);
}

function structHash({ type, fields }: TypedStruct): bigint {
  return poseidonHashMany([keccak(new TextEncoder().encode(type)), ...fields]);
}

/** Encodes up to 31 ASCII characters as one number. */
function shortString(value: string): bigint {
  return new TextEncoder()
    .encode(value)
    .reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}
