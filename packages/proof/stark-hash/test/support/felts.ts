import { FIELD_PRIME, Felts } from '@sotto/kernel';
import * as fc from 'fast-check';
import { hash } from 'starknet';

const LIMB_BORDERS = Array.from({ length: 8 }, (_, index) => 29n * BigInt(index + 1));
const WORD_BORDERS = [64n, 128n, 192n];

/**
 * Extreme values: the smallest and largest felts, and values around the limits of limbs and of
 * 64-bit words.
 */
export const EDGES: readonly bigint[] = [
  0n,
  1n,
  2n,
  FIELD_PRIME - 1n,
  FIELD_PRIME - 2n,
  (FIELD_PRIME - 1n) / 2n,
  (FIELD_PRIME + 1n) / 2n,
  ...[...LIMB_BORDERS, ...WORD_BORDERS, 250n, 251n].flatMap((bit) => [
    2n ** bit - 1n,
    2n ** bit,
    2n ** bit + 1n,
  ]),
  17n * 2n ** 192n,
  2n ** 251n + 17n * 2n ** 192n - 1n,
];

export const anyFelt = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: FIELD_PRIME - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
);

export const wordsOf = (values: readonly bigint[]): Uint8Array => Felts.of(values).toBytes();

/** Returns the values as 32-byte words, even if a value is not below the field prime. */
export const rawWords = (values: readonly bigint[]): Uint8Array =>
  Buffer.from(values.map((value) => value.toString(16).padStart(64, '0')).join(''), 'hex');

export const byStarknetJs = (values: readonly bigint[]): bigint =>
  BigInt(hash.computePoseidonHashOnElements([...values]));

/** Returns `length` different felts. The same felts are returned in each run. */
export const spread = (length: number): bigint[] =>
  Array.from({ length }, (_, index) => (FIELD_PRIME - 1n) / BigInt(index + 1));
