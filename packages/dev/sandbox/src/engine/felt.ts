import { hash } from 'starknet';

/** Prime of the felt field: 2^251 + 17·2^192 + 1. */
export const FIELD_PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Maximum number of ASCII characters in a Cairo short string. */
const SHORT_STRING_MAX = 31;

/** Formats a value as canonical JSON-RPC text: lower-case hex without leading zeros. */
export function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** Formats a felt as hex with 64 digits, the format of addresses in revert reasons. */
export function toPaddedHex(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/**
 * Returns the felt that encodes a text of 1 to 31 ASCII characters; undefined for any other text.
 */
export function shortStringToFelt(text: string): bigint | undefined {
  if (text.length === 0 || text.length > SHORT_STRING_MAX || !/^[\x20-\x7e]+$/.test(text))
    return undefined;
  return BigInt(`0x${Buffer.from(text, 'ascii').toString('hex')}`);
}

/** Returns the selector for the name of an entry point or an event. */
export function selectorOf(name: string): bigint {
  return BigInt(hash.getSelectorFromName(name));
}

/** Returns the Poseidon hash of a list of felts. */
export function poseidonOf(values: readonly bigint[]): bigint {
  return BigInt(hash.computePoseidonHashOnElements([...values]));
}
