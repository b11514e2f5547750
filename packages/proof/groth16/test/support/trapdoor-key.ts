import { bn254 } from '@noble/curves/bn254.js';
import {
  SCALAR_FIELD_ORDER,
  type G1Point,
  type G2Point,
  type Groth16Proof,
} from '../../src/layout.js';
import type { VerificationKey } from '../../src/verification-key.js';

/**
 * Secret scalars behind a verification key. With these scalars, a proof of any statement can be
 * computed at once, and also degenerate points that satisfy the equation. The points come from the
 * package @noble/curves, not from the library under test.
 */
const SECRETS: Readonly<Record<'alpha' | 'beta' | 'gamma' | 'delta', bigint>> & {
  readonly ic: readonly [bigint, bigint, bigint, bigint];
} = {
  alpha: 2n,
  beta: 3n,
  gamma: 5n,
  delta: 7n,
  ic: [11n, 13n, 17n, 19n],
};

export const TRAPDOOR_INPUTS = 3;

const modR = (value: bigint): bigint =>
  ((value % SCALAR_FIELD_ORDER) + SCALAR_FIELD_ORDER) % SCALAR_FIELD_ORDER;
const inverse = (value: bigint): bigint => bn254.fields.Fr.inv(value);

/** Returns k·G1. Infinity is returned as (0, 0), as in calldata. */
export function g1Times(scalar: bigint): G1Point {
  const k = modR(scalar);
  if (k === 0n) return { x: 0n, y: 0n };
  const { x, y } = bn254.G1.Point.BASE.multiply(k).toAffine();
  return { x, y };
}

/** Returns k·G2. Infinity is returned as zeros. */
export function g2Times(scalar: bigint): G2Point {
  const k = modR(scalar);
  return fromNoble(k === 0n ? bn254.G2.Point.ZERO : bn254.G2.Point.BASE.multiply(k));
}

type NobleG2 = typeof bn254.G2.Point.BASE;

export function toNoble({ x, y }: G2Point): NobleG2 {
  return bn254.G2.Point.fromAffine({ x: { c0: x[0], c1: x[1] }, y: { c0: y[0], c1: y[1] } });
}

export function fromNoble(point: NobleG2): G2Point {
  if (point.is0()) return { x: [0n, 0n], y: [0n, 0n] };
  const { x, y } = point.toAffine();
  return { x: [x.c0, x.c1], y: [y.c0, y.c1] };
}

export const trapdoorKey: VerificationKey = {
  alpha: g1Times(SECRETS.alpha),
  beta: g2Times(SECRETS.beta),
  gamma: g2Times(SECRETS.gamma),
  delta: g2Times(SECRETS.delta),
  ic: [
    g1Times(SECRETS.ic[0]),
    g1Times(SECRETS.ic[1]),
    g1Times(SECRETS.ic[2]),
    g1Times(SECRETS.ic[3]),
  ],
};

/** Returns the discrete logarithm of IC₀ + Σ xᵢ·ICᵢ. */
function inputsLogarithm(publicInputs: readonly bigint[]): bigint {
  const [constant, ...terms] = SECRETS.ic;
  return modR(
    terms.reduce((sum, term, index) => sum + term * (publicInputs[index] ?? 0n), constant),
  );
}

/** Returns the proof with B = b·G2 and C = c·G1 that satisfies a·b = αβ + x·γ + c·δ. */
export function proveWithSecrets(
  publicInputs: readonly bigint[],
  { b, c }: { readonly b: bigint; readonly c: bigint },
): Groth16Proof {
  const right =
    SECRETS.alpha * SECRETS.beta +
    inputsLogarithm(publicInputs) * SECRETS.gamma +
    c * SECRETS.delta;
  return { a: g1Times(modR(right) * inverse(b)), b: g2Times(b), c: g1Times(c), publicInputs };
}

/**
 * Returns the c for which the right side of the equation is 0, so that A (or B) must be infinity.
 */
export function cancellingC(publicInputs: readonly bigint[]): bigint {
  return modR(
    -(SECRETS.alpha * SECRETS.beta + inputsLogarithm(publicInputs) * SECRETS.gamma) *
      inverse(SECRETS.delta),
  );
}

/** Inputs for which IC₀ + Σ xᵢ·ICᵢ is infinity. */
export const CANCELLING_INPUTS: readonly bigint[] = [
  modR(-SECRETS.ic[0] * inverse(SECRETS.ic[1])),
  0n,
  0n,
];
