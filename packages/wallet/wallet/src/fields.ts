import { WalletError } from './errors.js';

/** Order of BN254's scalar field, over which the circuit is defined (EIP-197, alt_bn128). */
export const SCALAR_FIELD =
  21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Order of Starknet's field: 2^251 + 17·2^192 + 1. Addresses are elements of this field. */
export const STARKNET_FIELD = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** Felt as callers may pass it: a bigint, or 0x hex in upper or lower case. */
export type FeltInput = bigint | string;

const HEX_FELT = /^0x[0-9a-f]{1,64}$/i;

/** Parses a felt. @throws WalletError FELT_MALFORMED, with the text `what`, for any other value */
export function feltOf(input: FeltInput, what: string): bigint {
  const value =
    typeof input === 'bigint' ? input : HEX_FELT.test(input) ? BigInt(input) : undefined;
  if (value === undefined || value < 0n || value >= STARKNET_FIELD)
    throw new WalletError('FELT_MALFORMED', `${what} must be a felt: a bigint or 0x hex`);
  return value;
}

/** Returns 0x hex in lower case without leading zeros, so that equal felts are equal strings. */
export function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
