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
  type G1,
  type G2,
} from 'mcl-wasm';
import { createG2Decoder, toFr, toG1 } from './decode.js';
import { VerificationKeyInvalid } from './errors.js';
import { SCALAR_FIELD_ORDER, type G1Point, type G2Point, type Groth16Proof } from './layout.js';
import type { VerificationKey } from './verification-key.js';

/**
 * Prepares a key and returns its check: whether e(A, B) = e(α, β) · e(IC₀ + Σ xᵢ·ICᵢ, γ) · e(C, δ).
 *
 * - A proof with another number of inputs, an input not below r, a point at infinity, off its curve
 *   or outside its
 *   subgroup does not hold. Answers are booleans; an exception is a failure of the machine and no
 *   statement on the proof.
 * - Blocks its thread for some milliseconds. mcl is one instance per thread, started here for
 *   BN254; nothing else
 *   in the thread may start it for another curve.
 * - The prepared key lives as long as the thread.
 * @throws VerificationKeyInvalid when a point of the key is not in its group.
 */
export async function createPairingCheck(
  key: VerificationKey,
): Promise<(proof: Groth16Proof) => boolean> {
  await startCurve();
  const toG2 = createG2Decoder();
  const keyG1 = (point: G1Point, field: string): G1 => toG1(point) ?? refuseKey(field);
  const keyG2 = (point: G2Point, field: string): G2 => toG2(point) ?? refuseKey(field);
  const alphaBeta = pairing(keyG1(key.alpha, 'alpha'), keyG2(key.beta, 'beta'));
  const minusGamma = new PrecomputedG2(neg(keyG2(key.gamma, 'gamma')));
  const minusDelta = new PrecomputedG2(neg(keyG2(key.delta, 'delta')));
  const [constant, ...terms] = key.ic.map((point, index) => keyG1(point, `ic[${index}]`));
  if (constant === undefined || terms.length === 0) refuseKey('ic');

  return (proof) => {
    const { publicInputs } = proof;
    if (publicInputs.length !== terms.length || !publicInputs.every(isScalar)) return false;
    const a = toG1(proof.a);
    const b = toG2(proof.b);
    const c = toG1(proof.c);
    if (a === undefined || b === undefined || c === undefined) return false;

    const inputs = add(constant, mulVec(terms, publicInputs.map(toFr)));
    const product = mul(
      millerLoop(a, b),
      precomputedMillerLoop2(inputs, minusGamma, c, minusDelta),
    );
    return finalExp(product).isEqual(alphaBeta);
  };
}

let started: Promise<void> | undefined;

/** Once only: a second start would leave every prepared key pointing into memory that is gone. */
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
