import {
  BN_SNARK1,
  PrecomputedG2,
  add,
  finalExp,
  init,
  millerLoop,
  mul,
  mulVec,
  neg,
  pairing,
  precomputedMillerLoop2,
  type Fr,
  type G1,
  type G2,
  type GT,
} from 'mcl-wasm';
import { createG2Decoder, toFr, toG1 } from './decode.js';
import { VerificationKeyInvalid } from './errors.js';
import { SCALAR_FIELD_ORDER, type G1Point, type G2Point, type Groth16Proof } from './layout.js';
import type { VerificationKey } from './verification-key.js';

/** Decoded points and inputs of a proof. Each point is a member of its group. */
export interface ProofPoints {
  readonly a: G1;
  readonly b: G2;
  readonly c: G1;
  /** Public inputs, each below r. */
  readonly publicInputs: readonly Fr[];
}

/** Verification key in mcl's form. */
export interface PreparedKey {
  readonly alpha: G1;
  readonly alphaBeta: GT;
  readonly minusBeta: PrecomputedG2;
  readonly minusGamma: PrecomputedG2;
  readonly minusDelta: PrecomputedG2;
  /** Point IC₀, then the point of each input. */
  readonly ic: readonly [G1, ...G1[]];
  /**
   * Decodes a proof. Returns undefined if the proof can't be valid under the key: the number of
   * inputs differs, an input is ≥ r, or a point is outside its group. Infinity and points off the
   * curve are outside the group.
   */
  readonly decode: (proof: Groth16Proof) => ProofPoints | undefined;
}

/**
 * Starts mcl and prepares the key. The prepared key is valid until the thread ends. mcl has one
 * instance per thread, which is started here for BN254; no other code in the thread may start it
 * for another curve.
 *
 * @throws VerificationKeyInvalid if a point of the key is not in its group
 */
export async function prepareKey(key: VerificationKey): Promise<PreparedKey> {
  await startCurve();
  const toG2 = createG2Decoder();
  const keyG1 = (point: G1Point, field: string): G1 => toG1(point) ?? refuseKey(field);
  const keyG2 = (point: G2Point, field: string): G2 => toG2(point) ?? refuseKey(field);
  const alpha = keyG1(key.alpha, 'alpha');
  const beta = keyG2(key.beta, 'beta');
  const [constant, ...terms] = key.ic.map((point, index) => keyG1(point, `ic[${index}]`));
  if (constant === undefined || terms.length === 0) refuseKey('ic');

  return {
    alpha,
    alphaBeta: pairing(alpha, beta),
    minusBeta: new PrecomputedG2(neg(beta)),
    minusGamma: new PrecomputedG2(neg(keyG2(key.gamma, 'gamma'))),
    minusDelta: new PrecomputedG2(neg(keyG2(key.delta, 'delta'))),
    ic: [constant, ...terms],
    decode: (proof) => {
      const { publicInputs } = proof;
      if (publicInputs.length !== terms.length || !publicInputs.every(isScalar)) return undefined;
      const a = toG1(proof.a);
      const b = toG2(proof.b);
      const c = toG1(proof.c);
      if (a === undefined || b === undefined || c === undefined) return undefined;
      return { a, b, c, publicInputs: publicInputs.map(toFr) };
    },
  };
}

/**
 * Prepares a key and returns a function that checks e(A, B) = e(α, β) · e(IC₀ + Σ xᵢ·ICᵢ, γ) · e(C,
 * δ).
 *
 * - If {@link PreparedKey.decode} rejects a proof, the proof is invalid. Results are booleans; an
 *   exception means that the check itself failed, not that the proof is invalid.
 * - The function blocks its thread for some milliseconds.
 * @throws VerificationKeyInvalid if a point of the key is not in its group
 */
export async function createPairingCheck(
  key: VerificationKey,
): Promise<(proof: Groth16Proof) => boolean> {
  const prepared = await prepareKey(key);
  return (proof) => {
    const points = prepared.decode(proof);
    return points !== undefined && pairingHolds(prepared, points);
  };
}

/** Evaluates the equation of one proof. */
export function pairingHolds(key: PreparedKey, { a, b, c, publicInputs }: ProofPoints): boolean {
  const [constant, ...terms] = key.ic;
  const inputs = add(constant, mulVec(terms, [...publicInputs]));
  const product = mul(
    millerLoop(a, b),
    precomputedMillerLoop2(inputs, key.minusGamma, c, key.minusDelta),
  );
  return finalExp(product).isEqual(key.alphaBeta);
}

let started: Promise<void> | undefined;

/** Starts mcl only once. After a second start, every prepared key would point into freed memory. */
function startCurve(): Promise<void> {
  started ??= init(BN_SNARK1);
  return started;
}

function isScalar(value: bigint): boolean {
  return value >= 0n && value < SCALAR_FIELD_ORDER;
}

function refuseKey(field: string): never {
  throw new VerificationKeyInvalid({
    message: 'the verification key cannot be used',
    details: { field, reason: 'not_in_group' },
  });
}
