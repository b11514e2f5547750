import { bn254 } from '@noble/curves/bn254.js';
import { inputsOf, proofCalldata, type Coordinates, type PublicSignals } from './trapdoor.js';

/** Fields of a Groth16 verification key, in snarkjs' form, that are needed to forge a proof. */
export interface SetupKey {
  readonly vk_alpha_1: readonly string[];
  readonly vk_beta_2: readonly (readonly string[])[];
  readonly IC: readonly (readonly string[])[];
}

/**
 * Secret delta of the second phase of the development setup. The setup derives this value from its
 * public beacon (ADR 7): ChaCha is seeded with the result of 2^10 rounds of SHA-256 on the beacon.
 * The circuit does not affect this value. Never use the development key for money: every reader of
 * this file can prove any statement under it.
 */
const DELTA = 10178712275856048171248001053928694928647660328476541860751399023980966643136n;

const { Fr } = bn254.fields;
const G1 = bn254.G1.Point;

/**
 * Forges the calldata of a proof of any statement under the development key. With A = α and B = β,
 * the equation A·B = α·β + x·γ + C·δ is solved by C = −x/δ, because γ is the generator in snarkjs'
 * setups. This needs milliseconds; an honest proof needs one or two seconds.
 */
export function forgeUnderDevelopmentKey(
  { vk_alpha_1: alpha, vk_beta_2: beta, IC: [constant = [], ...coefficients] }: SetupKey,
  signals: PublicSignals,
): readonly string[] {
  const inputs = inputsOf(signals);
  const statement = coefficients.reduce(
    (sum, point, index) => sum.add(pointOf(point).multiplyUnsafe(inputs[index] ?? 0n)),
    pointOf(constant),
  );
  const { x, y } = statement.multiplyUnsafe(Fr.neg(Fr.inv(DELTA))).toAffine();
  const [betaX = [], betaY = []] = beta;
  const b = [coordinates(betaX), coordinates(betaY)] as const;
  return proofCalldata({ a: coordinates(alpha), b, c: [x, y] }, inputs);
}

function pointOf(texts: readonly string[]): typeof G1.BASE {
  const [x, y] = coordinates(texts);
  return G1.fromAffine({ x, y });
}

function coordinates([x = '', y = '']: readonly string[]): Coordinates {
  return [BigInt(x), BigInt(y)];
}
