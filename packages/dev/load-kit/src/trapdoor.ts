import { createHash } from 'node:crypto';
import { bn254 } from '@noble/curves/bn254.js';

/**
 * Secrets of a verification key. With them, a proof of any statement can be forged in a
 * millisecond.
 */
const SECRETS = {
  alpha: 2n,
  beta: 3n,
  gamma: 5n,
  delta: 7n,
  ic: [11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n],
} as const;

const R = bn254.fields.Fr.ORDER;
/** Discrete logarithms of the points B and C of every proof: any numbers except 0. */
const LOG_B = 41n;
const LOG_C = 43n;

/** Public inputs of a withdrawal's proof, in the order of the circuit. */
export interface PublicSignals {
  readonly root: bigint;
  readonly nullifierHash: bigint;
  readonly recipient: bigint;
  readonly relayer: bigint;
  readonly fee: bigint;
  readonly batchStart: bigint;
  readonly batchSize: bigint;
}

function g1(scalar: bigint): Coordinates {
  const { x, y } = bn254.G1.Point.BASE.multiplyUnsafe(scalar % R).toAffine();
  return [x, y];
}

/**
 * Generator of G2 without the library's precomputed table. For small scalars, the table costs more
 * time than it saves.
 */
const G2 = bn254.G2.Point.fromAffine(bn254.G2.Point.BASE.toAffine());

function g2(scalar: bigint): readonly [x: Coordinates, y: Coordinates] {
  const { x, y } = G2.multiplyUnsafe(scalar % R).toAffine();
  return [
    [x.c0, x.c1],
    [y.c0, y.c1],
  ];
}

/** Points B and C, which are equal in every proof. */
const [b, c] = [g2(LOG_B), g1(LOG_C)];

const g1Text = (scalar: bigint): string[] => [...g1(scalar).map(String), '1'];
const g2Text = (scalar: bigint): string[][] => [
  ...g2(scalar).map((coordinate) => coordinate.map(String)),
  ['1', '0'],
];

/**
 * Verification key in snarkjs' form. Never use this key for money: every reader of this file can
 * prove any statement under it.
 */
export const trapdoorKey = {
  protocol: 'groth16',
  curve: 'bn128',
  nPublic: SECRETS.ic.length - 1,
  vk_alpha_1: g1Text(SECRETS.alpha),
  vk_beta_2: g2Text(SECRETS.beta),
  vk_gamma_2: g2Text(SECRETS.gamma),
  vk_delta_2: g2Text(SECRETS.delta),
  IC: SECRETS.ic.map(g1Text),
};

const LIMB_BITS = 96;
/** Number of felts of each section in Garaga's calldata layout for seven public inputs. */
const WITNESS_FELTS = 90;
const REMAINDERS = { count: 34n, felts: 1_224 };
const QUOTIENT = { count: 190n, felts: 570 };
const HINTS = { count: 84n, felts: 84 };

/**
 * Forges the calldata of a proof of any statement under {@link trapdoorKey}: A·B = α·β + x·γ + C·δ.
 * The calldata is as long as the calldata of an honest proof. Every proof contains the same random
 * limbs as hints. Only the real verifier uses hints instead of computing the pairing; service and
 * sandbox compute the pairing.
 */
export function forgedCalldata(signals: PublicSignals): readonly string[] {
  const inputs = inputsOf(signals);
  const [constant, ...coefficients] = SECRETS.ic;
  const statement = coefficients.reduce<bigint>(
    (sum, coefficient, index) => sum + coefficient * (inputs[index] ?? 0n),
    constant,
  );
  const right = SECRETS.alpha * SECRETS.beta + statement * SECRETS.gamma + LOG_C * SECRETS.delta;
  return proofCalldata({ a: g1((right % R) * bn254.fields.Fr.inv(LOG_B)), b, c }, inputs);
}

/** Returns the public inputs of the circuit for the statement of a withdrawal. */
export function inputsOf({
  root,
  nullifierHash,
  recipient,
  relayer,
  fee,
  batchStart,
  batchSize,
}: PublicSignals): readonly bigint[] {
  return [root, nullifierHash, recipient, relayer, fee, batchStart, batchSize];
}

export type Coordinates = readonly [x: bigint, y: bigint];

/** Points of a proof. The coordinates of B are pairs (c0, c1). */
export interface ProofPoints {
  readonly a: Coordinates;
  readonly b: readonly [x: Coordinates, y: Coordinates];
  readonly c: Coordinates;
}

/**
 * Encodes the calldata of a proof for a pool. Only the real verifier reads the hints in the
 * calldata.
 */
export function proofCalldata(
  { a, b: g2Point, c: last }: ProofPoints,
  inputs: readonly bigint[],
): readonly string[] {
  const own = [
    ...[...a, ...g2Point.flat(), ...last].flatMap((coordinate) => parts(coordinate, LIMB_BITS, 4)),
    BigInt(inputs.length),
    ...inputs.flatMap((input) => parts(input, 128, 2)),
  ].map(hex);
  return [hex(BigInt(own.length + hints.length)), ...own, ...hints];
}

/** Splits a number into `count` limbs of `bits` bits, lowest limb first. */
function parts(value: bigint, bits: number, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(bits, value >> BigInt(bits * index)),
  );
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

const hints: readonly string[] = [
  ...limbs('witness', WITNESS_FELTS),
  hex(REMAINDERS.count),
  ...limbs('remainders', REMAINDERS.felts),
  hex(QUOTIENT.count),
  ...limbs('quotient', QUOTIENT.felts),
  // Evaluation point z.
  ...limbs('z', 1),
  hex(HINTS.count),
  ...limbs('hints', HINTS.felts),
];

function limbs(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const digest = createHash('sha256').update(`${name} ${index}`).digest('hex');
    return hex(BigInt(`0x${digest.slice(0, LIMB_BITS / 4)}`));
  });
}
