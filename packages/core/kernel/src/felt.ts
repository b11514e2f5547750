import { domainError } from './errors.js';

/** Prime of the field of felt252 values: 2^251 + 17·2^192 + 1. */
export const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

declare const feltBrand: unique symbol;
/**
 * Canonical felt252: lower-case 0x hex without leading zeros. Two felts are equal if and only if
 * their texts are equal.
 */
export type Felt = string & { readonly [feltBrand]: true };

export class InvalidFelt extends domainError('INVALID_FELT') {}

/**
 * Returns the canonical form of a felt that is a number or a text. The text is `0x` hex of at most
 * 64 digits (any case, leading zeros) or decimal of at most 77 digits.
 * @throws InvalidFelt if the text has neither form, or the value is not below {@link FIELD_PRIME}.
 */
export function toFelt(value: bigint | string): Felt {
  const parsed = typeof value === 'bigint' ? value : parseFeltText(value);
  if (parsed < 0n || parsed >= FIELD_PRIME)
    throw new InvalidFelt({ message: 'value is outside the Starknet field' });
  // CAST: the only place where the brand is made.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `0x${parsed.toString(16)}` as Felt;
}

export function feltToBigInt(felt: Felt): bigint {
  return BigInt(felt);
}

const FELT_TEXT = /^(?:0[xX][0-9a-fA-F]{1,64}|[0-9]{1,77})$/;

function parseFeltText(text: string): bigint {
  if (!FELT_TEXT.test(text))
    throw new InvalidFelt({
      message: 'expected 0x-prefixed hex of at most 64 digits, or decimal digits',
    });
  return BigInt(text);
}
