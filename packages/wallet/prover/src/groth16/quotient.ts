import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { inverse, power } from '../fields.js';
import { SCALAR_BYTES, type Curve } from './curve.js';
import { COEFFICIENT_BYTES, viewOf, type ProvingKey } from './proving-key.js';

/** Element of the scalar field that is not a square. A power of it generates the roots of unity. */
const NON_RESIDUE = 5n;
/** Binary logarithm of the greatest order of a root of unity that is a power of two. */
const TWO_ADICITY = 28n;

/**
 * Computes A·B − C for each row, on the coset that lies between the points of the rows. A, B and C
 * are the polynomials of the constraint matrices for this witness. The key's points `h` contain the
 * division by the vanishing polynomial, which is constant on the coset.
 * @param witness address of the wires as plain numbers
 * @returns address of the scalars in Montgomery form
 */
export function quotientOf(curve: Curve, key: ProvingKey, witness: number): number {
  const { mcl } = curve;
  const { rows } = key;
  const bytes = rows * SCALAR_BYTES;
  const [a, b] = matrixProducts(curve, key, witness);
  const c = curve.allocate(bytes);
  for (let at = 0; at < bytes; at += SCALAR_BYTES) mcl.fr.multiply(c + at, a + at, b + at);

  const root = rootOfUnity(rows);
  const forward = powersOf(curve, root, rows / 2);
  const backward = powersOf(curve, inverse(root, SCALAR_FIELD), rows / 2);
  // Divides by the length, which the inverse transform needs, and moves to the coset.
  const scale = inverse(BigInt(rows), SCALAR_FIELD);
  const shift = powersOf(curve, rootOfUnity(2 * rows), rows, scale);
  for (const values of [a, b, c]) {
    transform(curve, values, rows, backward);
    for (let at = 0; at < bytes; at += SCALAR_BYTES)
      mcl.fr.multiply(values + at, values + at, shift + at);
    transform(curve, values, rows, forward);
  }
  for (let at = 0; at < bytes; at += SCALAR_BYTES) {
    mcl.fr.multiply(a + at, a + at, b + at);
    mcl.fr.subtract(a + at, a + at, c + at);
  }
  return a;
}

/** Multiplies the constraint matrices A and B by the witness. */
function matrixProducts(
  curve: Curve,
  { coefficients, rows }: ProvingKey,
  witness: number,
): [a: number, b: number] {
  const { mcl } = curve;
  const sums = [curve.allocate(rows * SCALAR_BYTES), curve.allocate(rows * SCALAR_BYTES)] as const;
  const term = curve.allocate(SCALAR_BYTES);
  const { memory } = curve;
  const view = viewOf(coefficients);
  for (let at = 0; at < coefficients.length; at += COEFFICIENT_BYTES) {
    const [a, b] = sums;
    const sum =
      (view.getUint32(at, true) === 0 ? a : b) + view.getUint32(at + 4, true) * SCALAR_BYTES;
    const wire = witness + view.getUint32(at + 8, true) * SCALAR_BYTES;
    memory.set(coefficients.subarray(at + 12, at + COEFFICIENT_BYTES), term);
    // The coefficient's factor 2^512 and the product leave Montgomery form.
    mcl.fr.multiply(term, term, wire);
    mcl.fr.add(sum, sum, term);
  }
  return [...sums];
}

function rootOfUnity(order: number): bigint {
  const exponent = (SCALAR_FIELD - 1n) >> TWO_ADICITY;
  const generator = power(NON_RESIDUE, exponent, SCALAR_FIELD);
  return power(generator, 2n ** TWO_ADICITY / BigInt(order), SCALAR_FIELD);
}

/** Allocates first, first·base, first·base², … in Montgomery form. */
function powersOf(curve: Curve, base: bigint, count: number, first = 1n): number {
  const powers = curve.allocate(count * SCALAR_BYTES);
  const factor = curve.scalar(base);
  const start = curve.scalar(first);
  curve.memory.copyWithin(powers, start, start + SCALAR_BYTES);
  for (let index = 1; index < count; index++) {
    const at = powers + index * SCALAR_BYTES;
    curve.mcl.fr.multiply(at, at - SCALAR_BYTES, factor);
  }
  return powers;
}

/** Converts a polynomial's coefficients in place to its values at the roots of unity. */
function transform(curve: Curve, values: number, length: number, roots: number): void {
  const { multiply, add, subtract } = curve.mcl.fr;
  reverseBits(curve, values, length);
  const product = curve.allocate(SCALAR_BYTES);
  const end = values + length * SCALAR_BYTES;
  for (let half = 1; half < length; half *= 2) {
    const halfBytes = half * SCALAR_BYTES;
    const rootStep = (length / 2 / half) * SCALAR_BYTES;
    for (let index = 0; index < half; index++) {
      const root = roots + index * rootStep;
      for (let at = values + index * SCALAR_BYTES; at < end; at += 2 * halfBytes) {
        multiply(product, at + halfBytes, root);
        subtract(at + halfBytes, at, product);
        add(at, at, product);
      }
    }
  }
}

/** Moves each value to the index with the reversed bits. */
function reverseBits(curve: Curve, values: number, length: number): void {
  const { memory } = curve;
  const swap = new Uint8Array(SCALAR_BYTES);
  let reversed = 0;
  for (let index = 0; index < length; index++) {
    if (index < reversed) {
      const [one, other] = [values + index * SCALAR_BYTES, values + reversed * SCALAR_BYTES];
      swap.set(memory.subarray(one, one + SCALAR_BYTES));
      memory.copyWithin(one, other, other + SCALAR_BYTES);
      memory.set(swap, other);
    }
    let bit = length >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
  }
  swap.fill(0);
}
