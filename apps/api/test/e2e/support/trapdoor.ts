import { bn254 } from '@noble/curves/bn254.js';
import { PUBLIC_INPUTS, type VerificationKey } from '@sotto/circuits';
import type { WithdrawalSignals } from '@sotto/circuits/testing';
import { vector } from './withdrawals.js';

/** A verification key whose secrets are known: a proof of any statement is made in no time, where an honest one takes a second or two. */
const SECRETS = { alpha: 2n, beta: 3n, gamma: 5n, delta: 7n, ic: [11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n] } as const;

const R = bn254.fields.Fr.ORDER;
/** Logarithms of two points of the proof: any numbers but 0. */
const LOG_B = 41n;
const LOG_C = 43n;

type Coordinates = readonly [x: bigint, y: bigint];

function g1(scalar: bigint): Coordinates {
  const { x, y } = bn254.G1.Point.BASE.multiply(scalar % R).toAffine();
  return [x, y];
}

function g2(scalar: bigint): readonly [x: Coordinates, y: Coordinates] {
  const { x, y } = bn254.G2.Point.BASE.multiply(scalar % R).toAffine();
  return [
    [x.c0, x.c1],
    [y.c0, y.c1],
  ];
}

/** The same in every proof. */
const [b, c] = [g2(LOG_B), g1(LOG_C)];

const g1Text = (scalar: bigint): string[] => [...g1(scalar).map(String), '1'];
const g2Text = (scalar: bigint): string[][] => [...g2(scalar).map((coordinate) => coordinate.map(String)), ['1', '0']];

export const trapdoorKey: VerificationKey = {
  protocol: 'groth16',
  curve: 'bn128',
  nPublic: PUBLIC_INPUTS.length,
  vk_alpha_1: g1Text(SECRETS.alpha),
  vk_beta_2: g2Text(SECRETS.beta),
  vk_gamma_2: g2Text(SECRETS.gamma),
  vk_delta_2: g2Text(SECRETS.delta),
  IC: SECRETS.ic.map(g1Text),
};

export type PublicSignals = Pick<WithdrawalSignals, (typeof PUBLIC_INPUTS)[number]>;

/**
 * Calldata of a proof of whatever is stated, under {@link trapdoorKey}: A·B = α·β + x·γ + C·δ. The hints are another proof's: they spare the
 * real verifier the pairing, which service and sandbox compute.
 */
export function forgedCalldata(signals: PublicSignals): readonly string[] {
  const inputs = PUBLIC_INPUTS.map((name) => signals[name]);
  const [constant, ...coefficients] = SECRETS.ic;
  const statement = coefficients.reduce<bigint>((sum, coefficient, index) => sum + coefficient * (inputs[index] ?? 0n), constant);
  const right = SECRETS.alpha * SECRETS.beta + statement * SECRETS.gamma + LOG_C * SECRETS.delta;
  const a = g1((right % R) * bn254.fields.Fr.inv(LOG_B));
  const own = [
    ...[...a, ...b.flat(), ...c].flatMap((coordinate) => parts(coordinate, 96n, 4)),
    BigInt(inputs.length),
    ...inputs.flatMap((input) => parts(input, 128n, 2)),
  ];
  const [length = '', ...felts] = vector.calldata;
  return [length, ...own.map((felt) => `0x${felt.toString(16)}`), ...felts.slice(own.length)];
}

/** A number as so many parts of so many bits, low first. */
function parts(value: bigint, bits: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, index) => BigInt.asUintN(Number(bits), value >> (bits * BigInt(index))));
}
