import { SCALAR_FIELD } from '@sotto/wallet/advanced';

import { ELEMENT_BYTES, readElement } from '../fields.js';
import { GROUP, SCALAR_BYTES, TARGET_BYTES, type Curve, type Group } from './curve.js';
import type { ProvingKey } from './proving-key.js';
import { quotientOf } from './quotient.js';

/** Groth16 proof with affine points, x first. An element of G2's field is given as c0, c1. */
export interface ProofPoints {
  readonly a: readonly bigint[];
  readonly b: readonly bigint[];
  readonly c: readonly bigint[];
  readonly publicInputs: readonly bigint[];
}

/** Number of stages of a proof, each of which calls `onStage` at its end. */
export const STAGES = 7;

/**
 * Greatest number of points in one multi-scalar multiplication by mcl. This limit bounds the memory
 * of large circuits.
 */
const POINTS_AT_ONCE = 4096;

/**
 * Proves that the witness satisfies the constraints of the key, and verifies the proof before it
 * returns it. Two fresh random scalars blind each proof. No parameter replaces these scalars, since
 * a proof with known scalars reveals sums of the witness. Overwrites all memory of `curve` at the
 * end.
 * @param witness 32 bytes for each wire, low byte first
 * @throws Error if the witness violates a constraint or belongs to another key
 */
export function proveGroth16(
  curve: Curve,
  key: ProvingKey,
  witness: Uint8Array,
  onStage: () => void = () => undefined,
): ProofPoints {
  try {
    return prove(curve, key, witness, onStage);
  } finally {
    curve.wipe();
  }
}

function prove(
  curve: Curve,
  key: ProvingKey,
  witness: Uint8Array,
  onStage: () => void,
): ProofPoints {
  const { mcl } = curve;
  if (witness.length !== key.wires * ELEMENT_BYTES)
    throw new Error('the witness belongs to another proving key');
  const alpha1 = curve.keyPoint('g1', key.alpha1);
  const beta1 = curve.keyPoint('g1', key.beta1);
  const beta2 = curve.keyPoint('g2', key.beta2);
  const gamma2 = curve.keyPoint('g2', key.gamma2);
  const delta1 = curve.keyPoint('g1', key.delta1);
  const delta2 = curve.keyPoint('g2', key.delta2);
  const plain = curve.allocate(witness.length);
  curve.memory.set(witness, plain);
  const wires = inMontgomeryForm(curve, plain, key.wires);
  onStage();
  const quotient = quotientOf(curve, key, plain);
  onStage();

  const r = curve.randomScalar();
  const s = curve.randomScalar();
  const minusRs = curve.allocate(SCALAR_BYTES);
  mcl.fr.multiply(minusRs, r, s);
  mcl.fr.negate(minusRs, minusRs);
  const addMultiple = (sum: number, point: number, scalar: number): void => {
    const product = curve.points('g1');
    mcl.g1.multiply(product, point, scalar);
    mcl.g1.add(sum, sum, product);
  };

  const a = sumOf(curve, 'g1', key.a, wires);
  mcl.g1.add(a, a, alpha1);
  addMultiple(a, delta1, r);
  onStage();
  const b1 = sumOf(curve, 'g1', key.b1, wires);
  mcl.g1.add(b1, b1, beta1);
  addMultiple(b1, delta1, s);
  onStage();
  const b = sumOf(curve, 'g2', key.b2, wires);
  mcl.g2.add(b, b, beta2);
  const blinding = curve.points('g2');
  mcl.g2.multiply(blinding, delta2, s);
  mcl.g2.add(b, b, blinding);
  onStage();
  const c = sumOf(curve, 'g1', key.c, wires + (key.publicInputs + 1) * SCALAR_BYTES);
  onStage();
  mcl.g1.add(c, c, sumOf(curve, 'g1', key.h, quotient));
  addMultiple(c, a, s);
  addMultiple(c, b1, r);
  addMultiple(c, delta1, minusRs);
  onStage();

  mcl.g1.normalise(a, a);
  mcl.g2.normalise(b, b);
  mcl.g1.normalise(c, c);
  const inputs = sumOf(curve, 'g1', key.ic, wires);
  mcl.g1.normalise(inputs, inputs);
  const areMembers = curve.isMember('g1', a) && curve.isMember('g2', b) && curve.isMember('g1', c);
  const pairs = [
    [negated(curve, a), b],
    [alpha1, beta2],
    [inputs, gamma2],
    [c, delta2],
  ] as const;
  if (!areMembers || !productIsOne(curve, pairs))
    throw new Error('the witness violates a constraint');
  return {
    a: curve.coordinates('g1', a),
    b: curve.coordinates('g2', b),
    c: curve.coordinates('g1', c),
    publicInputs: Array.from({ length: key.publicInputs }, (_, index) =>
      readElement(witness, (index + 1) * ELEMENT_BYTES),
    ),
  };
}

function inMontgomeryForm(curve: Curve, plain: number, count: number): number {
  const result = curve.allocate(count * SCALAR_BYTES);
  const factor = curve.scalar(2n ** 256n % SCALAR_FIELD);
  for (let at = 0; at < count * SCALAR_BYTES; at += SCALAR_BYTES)
    curve.mcl.fr.multiply(result + at, plain + at, factor);
  return result;
}

/**
 * Computes Σ scalarᵢ·pointᵢ. Points at infinity are skipped: they are a third of the points of B.
 * @param atOnce number of points in one multiplication; the sum does not depend on it
 */
export function sumOf(
  curve: Curve,
  group: Group,
  points: Uint8Array,
  scalars: number,
  atOnce = POINTS_AT_ONCE,
): number {
  const { sum: sumProducts, add } = curve.mcl[group];
  const pointBytes = 2 * GROUP[group].degree * ELEMENT_BYTES;
  const total = points.length / pointBytes;
  const chunkPoints = curve.points(group, Math.min(atOnce, total));
  const chunkScalars = curve.allocate(Math.min(atOnce, total) * SCALAR_BYTES);
  const sum = curve.points(group);
  const chunkSum = curve.points(group);
  let count = 0;
  const flush = (): void => {
    if (count === 0) return;
    sumProducts(chunkSum, chunkPoints, chunkScalars, count);
    add(sum, sum, chunkSum);
    count = 0;
  };
  for (let index = 0; index < total; index++) {
    const point = points.subarray(index * pointBytes, (index + 1) * pointBytes);
    if (point.every((byte) => byte === 0)) continue;
    curve.writePoint(group, chunkPoints + count * GROUP[group].bytes, point);
    const from = scalars + index * SCALAR_BYTES;
    curve.memory.copyWithin(chunkScalars + count * SCALAR_BYTES, from, from + SCALAR_BYTES);
    count += 1;
    if (count === atOnce) flush();
  }
  flush();
  return sum;
}

function negated(curve: Curve, point: number): number {
  const result = curve.points('g1');
  curve.mcl.g1.negate(result, point);
  return result;
}

/** Checks that the product of the pairings is 1. Requires normalised points. */
function productIsOne(
  curve: Curve,
  pairs: readonly (readonly [g1: number, g2: number])[],
): boolean {
  const { mcl } = curve;
  const first = curve.points('g1', pairs.length);
  const second = curve.points('g2', pairs.length);
  pairs.forEach(([g1, g2], index) => {
    const { memory } = curve;
    memory.copyWithin(first + index * GROUP.g1.bytes, g1, g1 + GROUP.g1.bytes);
    memory.copyWithin(second + index * GROUP.g2.bytes, g2, g2 + GROUP.g2.bytes);
  });
  const product = curve.allocate(TARGET_BYTES);
  mcl.millerLoops(product, first, second, pairs.length);
  mcl.finalExponentiation(product, product);
  return mcl.isOneInTarget(product) === 1;
}
