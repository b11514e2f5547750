import { FIELD_PRIME } from '@sotto/kernel';

/*
 * Representation of an element of Starknet's field, p = 2^251 + 17·2^192 + 1, in the WebAssembly
 * code: nine limbs of 29 bits in 64-bit integers, lowest limb first, v = Σ limb[i]·2^(29·i).
 *
 * Elements are in Montgomery form: a is represented as a·R modulo p, with R = 2^(9·29) = 2^261. R
 * is about 2^10 times as large as p. Because of these spare bits the code needs no comparisons with
 * p: values may be negative or a few times p.
 *
 * An element is *carried* if all limbs except the last are in [0, 2^29). The last limb then has the
 * sign of the value.
 */
export const LIMB_BITS = 29;
export const LIMB_COUNT = 9;

const R = 1n << BigInt(LIMB_BITS * LIMB_COUNT);

/** Returns the Montgomery form of a value, in [0, p). */
export function toMontgomery(value: bigint): bigint {
  return (value * R) % FIELD_PRIME;
}

/** Inverse of R: R^(p − 2), because p is prime. */
const R_INVERSE = power(R % FIELD_PRIME, FIELD_PRIME - 2n);

/**
 * Returns the value in [0, p) whose Montgomery form is congruent to `form`, which may be negative.
 */
export function fromMontgomery(form: bigint): bigint {
  return canonical(form * R_INVERSE);
}

/** Returns the number in [0, p) that is congruent to the value. */
export function canonical(value: bigint): bigint {
  const rest = value % FIELD_PRIME;
  return rest < 0n ? rest + FIELD_PRIME : rest;
}

/** Returns the limbs of a value from 0 to below R. */
export function limbsOf(value: bigint): readonly bigint[] {
  return Array.from({ length: LIMB_COUNT }, (_, index) =>
    BigInt.asUintN(LIMB_BITS, value >> BigInt(LIMB_BITS * index)),
  );
}

/** Returns the value that the limbs represent. The limbs may be carried or not. */
export function valueOf(limbs: Iterable<bigint>): bigint {
  return [...limbs].reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + limb, 0n);
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % FIELD_PRIME;
    if (bit === '1') result = (result * base) % FIELD_PRIME;
  }
  return result;
}
