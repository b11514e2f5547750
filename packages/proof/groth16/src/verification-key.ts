import { isOnG1Curve, isOnG2Curve } from './curve.js';
import { VerificationKeyInvalid } from './errors.js';
import type { G1Point, G2Point } from './layout.js';

/** Verification key of proofs: plain data, so that the key can be sent to a worker thread. */
export interface VerificationKey {
  readonly alpha: G1Point;
  readonly beta: G2Point;
  readonly gamma: G2Point;
  readonly delta: G2Point;
  /** Point of the constant term, then one point for each public input. */
  readonly ic: readonly [constant: G1Point, ...inputs: G1Point[]];
}

/**
 * Parses a verification key as exported by snarkjs (`protocol` groth16, `curve` bn128). All points
 * must be affine and on their curves. The pairing check verifies that the points of G2 lie in the
 * subgroup.
 * @throws VerificationKeyInvalid
 */
export function parseVerificationKey(json: unknown): VerificationKey {
  if (!isRecord(json)) throw invalid('root', 'not_an_object');
  if (json['protocol'] !== 'groth16') throw invalid('protocol', 'not_groth16');
  if (json['curve'] !== 'bn128') throw invalid('curve', 'not_bn128');

  const key = {
    alpha: g1(json['vk_alpha_1'], 'vk_alpha_1'),
    beta: g2(json['vk_beta_2'], 'vk_beta_2'),
    gamma: g2(json['vk_gamma_2'], 'vk_gamma_2'),
    delta: g2(json['vk_delta_2'], 'vk_delta_2'),
    ic: inputPoints(json['IC'], json['nPublic']),
  };
  // In a setup to which no participant contributed, delta equals gamma. Then A = alpha, B = beta
  // and C = −Σ xᵢ·ICᵢ satisfy the equation for any statement.
  if (isSameG2(key.gamma, key.delta)) throw invalid('vk_delta_2', 'equals_gamma');
  return key;
}

function inputPoints(value: unknown, inputCount: unknown): VerificationKey['ic'] {
  if (typeof inputCount !== 'number' || !Number.isInteger(inputCount) || inputCount < 1)
    throw invalid('nPublic', 'not_a_positive_integer');
  if (!Array.isArray(value) || value.length !== inputCount + 1)
    throw invalid('IC', 'length_does_not_match_nPublic');
  const [constant, ...inputs] = value.map((point: unknown, index) => g1(point, `IC[${index}]`));
  if (constant === undefined) throw invalid('IC', 'empty');
  return [constant, ...inputs];
}

function g1(value: unknown, field: string): G1Point {
  const [x, y, z] = list(value, 3, field);
  // If the point of an input is at infinity, the input occurs in no constraint. Then a relayer of
  // the proof could change this input.
  if (z !== '1') throw invalid(field, 'not_affine');
  const point = { x: coordinate(x, field), y: coordinate(y, field) };
  if (!isOnG1Curve(point)) throw invalid(field, 'not_on_curve');
  return point;
}

function g2(value: unknown, field: string): G2Point {
  const [x, y, z] = list(value, 3, field);
  const [z0, z1] = list(z, 2, field);
  if (z0 !== '1' || z1 !== '0') throw invalid(field, 'not_affine');
  const [x0, x1] = list(x, 2, field);
  const [y0, y1] = list(y, 2, field);
  const point: G2Point = {
    x: [coordinate(x0, field), coordinate(x1, field)],
    y: [coordinate(y0, field), coordinate(y1, field)],
  };
  if (!isOnG2Curve(point)) throw invalid(field, 'not_on_curve');
  return point;
}

/** Decimal digits of a field element, at most 77. */
const DECIMAL = /^[0-9]{1,77}$/;

function coordinate(value: unknown, field: string): bigint {
  if (typeof value !== 'string' || !DECIMAL.test(value)) throw invalid(field, 'not_decimal_text');
  return BigInt(value);
}

function list(value: unknown, length: number, field: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length !== length) throw invalid(field, 'not_a_point');
  return value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSameG2(left: G2Point, right: G2Point): boolean {
  return (
    left.x[0] === right.x[0] &&
    left.x[1] === right.x[1] &&
    left.y[0] === right.y[0] &&
    left.y[1] === right.y[1]
  );
}

function invalid(field: string, reason: string): VerificationKeyInvalid {
  return new VerificationKeyInvalid({
    message: 'the verification key cannot be used',
    details: { field, reason },
  });
}
