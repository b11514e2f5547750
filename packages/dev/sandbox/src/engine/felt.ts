import { hash } from 'starknet';

/** Order of the field that felts live in: 2^251 + 17·2^192 + 1. */
export const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** A Cairo short string holds at most 31 ASCII characters. */
const SHORT_STRING_MAX = 31;

/** Canonical wire text: lower-case hex without leading zeros. */
export function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A felt padded to 64 digits, as revert reasons print addresses. */
export function toPaddedHex(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** The felt of a text of at most 31 ASCII characters, undefined for any other text. */
export function shortStringToFelt(text: string): bigint | undefined {
  if (text.length === 0 || text.length > SHORT_STRING_MAX || !/^[\x20-\x7e]+$/.test(text))
    return undefined;
  return BigInt(`0x${Buffer.from(text, 'ascii').toString('hex')}`);
}

/** The selector of an entry point's or event's name. */
export function selectorOf(name: string): bigint {
  return BigInt(hash.getSelectorFromName(name));
}

/** Poseidon over felts, as a felt. */
export function poseidonOf(values: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...values]));
}
