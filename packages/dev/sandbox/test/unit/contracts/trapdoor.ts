import { bn254 } from '@noble/curves/bn254.js';
import type { DecodedProof, PublicInputs } from '../../../src/contracts/proof.js';

/**
 * Groth16 setup whose secrets are known. The secrets yield a valid proof of any public inputs,
 * without a circuit and a witness. The proofs are checked with real pairings.
 */
const { Fr, Fp, Fp2 } = bn254.fields;
const ALPHA = 11n;
const BETA = 13n;
const GAMMA = 17n;
const DELTA = 19n;
const IC = [101n, 103n, 107n, 109n, 113n, 127n, 131n, 137n];

const g1 = (scalar: bigint): { x: bigint; y: bigint } =>
  bn254.G1.Point.BASE.multiply(Fr.create(scalar)).toAffine();
const g2 = (scalar: bigint): { x: readonly [bigint, bigint]; y: readonly [bigint, bigint] } => {
  const { x, y } = bn254.G2.Point.BASE.multiply(Fr.create(scalar)).toAffine();
  return { x: [x.c0, x.c1], y: [y.c0, y.c1] };
};
const g1Text = (scalar: bigint): string[] => [
  g1(scalar).x.toString(),
  g1(scalar).y.toString(),
  '1',
];
const g2Text = (scalar: bigint): string[][] => [
  g2(scalar).x.map(String),
  g2(scalar).y.map(String),
  ['1', '0'],
];

export const trapdoorKey = {
  protocol: 'groth16',
  curve: 'bn128',
  nPublic: 7,
  vk_alpha_1: g1Text(ALPHA),
  vk_beta_2: g2Text(BETA),
  vk_gamma_2: g2Text(GAMMA),
  vk_delta_2: g2Text(DELTA),
  IC: IC.map(g1Text),
};

/** Forges a valid proof. A different `a` or `b` yields a different proof of the same statement. */
export function forge(publicInputs: PublicInputs, a = 23n, b = 29n): DecodedProof {
  const [constant = 0n, ...coefficients] = IC;
  const statement = coefficients.reduce(
    (sum, coefficient, index) => sum + coefficient * (publicInputs[index] ?? 0n),
    constant,
  );
  const c = Fr.div(Fr.create(a * b - ALPHA * BETA - statement * GAMMA), DELTA);
  return { a: g1(a), b: g2(b), c: g1(c), publicInputs };
}

/** Returns the negation of a point of G1. */
export function negate({ x, y }: { readonly x: bigint; readonly y: bigint }): {
  x: bigint;
  y: bigint;
} {
  return { x, y: Fp.neg(y) };
}

/** Returns a point on the curve of G2 that is not in the subgroup of order r. */
export function outsideSubgroup(): DecodedProof['b'] {
  for (let c0 = 1n; ; c0 += 1n) {
    const x = Fp2.create({ c0, c1: 1n });
    const right = Fp2.add(
      Fp2.mul(Fp2.sqr(x), x),
      Fp2.div(Fp2.create({ c0: 3n, c1: 0n }), Fp2.create({ c0: 9n, c1: 1n })),
    );
    const root = squareRoot(right);
    if (root === undefined) continue;
    const point = bn254.G2.Point.fromAffine({ x, y: root });
    if (!point.isTorsionFree()) return { x: [x.c0, x.c1], y: [root.c0, root.c1] };
  }
}

/**
 * Encodes a proof as proof_with_hints. The first felt is the length, and the hints are well-formed
 * but empty.
 */
export function toCalldata({ a, b, c, publicInputs }: DecodedProof): bigint[] {
  const felts = [
    ...[a.x, a.y, ...b.x, ...b.y, c.x, c.y].flatMap(limbs),
    7n,
    ...publicInputs.flatMap((input) => [input % 2n ** 128n, input >> 128n]),
    ...zeroes(90),
    34n,
    ...zeroes(1224),
    190n,
    ...zeroes(570),
    0n,
    84n,
    ...zeroes(84),
  ];
  return [BigInt(felts.length), ...felts];
}

function squareRoot(
  value: ReturnType<typeof Fp2.create>,
): ReturnType<typeof Fp2.create> | undefined {
  try {
    return Fp2.sqrt(value);
  } catch {
    return undefined;
  }
}

function limbs(value: bigint): bigint[] {
  return [0n, 96n, 192n, 288n].map((shift) => (value >> shift) % 2n ** 96n);
}

function zeroes(count: number): bigint[] {
  return Array.from({ length: count }, () => 0n);
}
