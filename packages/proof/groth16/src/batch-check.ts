import { randomBytes } from 'node:crypto';
import {
  type Fr,
  add,
  finalExp,
  millerLoop,
  mul,
  mulVec,
  precomputedMillerLoop,
  precomputedMillerLoop2,
} from 'mcl-wasm';
import { toFr } from './decode.js';
import type { Groth16Proof } from './layout.js';
import { pairingHolds, prepareKey, type PreparedKey, type ProofPoints } from './pairing-check.js';
import type { VerificationKey } from './verification-key.js';

/*
 * Checks many proofs under one key by one equation. It is the product of the equations of the
 * proofs, each raised to a random power rᵢ:
 *
 * Π e(rᵢ·Aᵢ, Bᵢ) = e(Σrᵢ·α, β) · e(Σrᵢ·IC₀ + Σⱼ (Σᵢ rᵢxᵢⱼ)·ICⱼ, γ) · e(Σrᵢ·Cᵢ, δ)
 *
 * The equation costs one Miller loop for each proof. The three Miller loops of the key and the
 * final exponentiation are computed only once.
 *
 * - Valid proofs satisfy the equation for any powers.
 * - The code first checks that all points are members of their groups. So the equation of an
 *   invalid proof leaves an element other than 1 in a group of prime order r. For any powers of the
 *   other proofs, the product is 1 for at most one of the 2¹²⁸ − 1 possible values of rᵢ. The
 *   powers are drawn after the batch is fixed.
 */

const RANDOMISER_BYTES = 16;

/** Result of the check of a batch. */
export interface BatchVerdict {
  /** Results in the sequence of the proofs. */
  readonly holds: readonly boolean[];
  /**
   * True if the batch contains a proof that has well-formed points but is invalid. Such a proof
   * makes a batch more expensive.
   */
  readonly failed: boolean;
}

/** Function that creates this many random powers, one for each proof of a batch. */
export type Randomisers = (count: number) => readonly Fr[];

/**
 * Prepares a key and returns a function that checks many proofs at once. The result for each proof
 * equals the result of a separate check, except with probability 2⁻¹²⁸. Malformed proofs are left
 * out of the equation. A failed batch is halved until each invalid proof has failed in a separate
 * check, so a proof is rejected only by its own equation.
 * @param randomisers creates new powers for each equation
 * @throws VerificationKeyInvalid if a point of the key is not in its group
 */
export async function createBatchCheck(
  key: VerificationKey,
  randomisers: Randomisers = freshRandomisers,
): Promise<(proofs: readonly Groth16Proof[]) => BatchVerdict> {
  const prepared = await prepareKey(key);
  return (proofs) => {
    const points = proofs.map((proof) => prepared.decode(proof));
    const wellFormed = points.filter((decoded) => decoded !== undefined);
    const sound = new Set(
      soundOf(wellFormed, (batch) =>
        batch.length === 1
          ? batch.every((proof) => pairingHolds(prepared, proof))
          : batchHolds(prepared, batch, randomisers(batch.length)),
      ),
    );
    return {
      holds: points.map((decoded) => decoded !== undefined && sound.has(decoded)),
      failed: sound.size < wellFormed.length,
    };
  };
}

/**
 * Returns the valid proofs of a batch. Invalid proofs are found by halving the batch.
 * @param allHold returns true if all proofs of a batch are valid
 * @param hasUnsound true if at least one proof of the batch is known to be invalid
 */
export function soundOf<T>(
  batch: readonly T[],
  allHold: (batch: readonly T[]) => boolean,
  hasUnsound = false,
): readonly T[] {
  if (batch.length === 0) return [];
  // A single proof is checked by its equation even if the proof is already known to be invalid.
  if ((batch.length === 1 || !hasUnsound) && allHold(batch)) return batch;
  if (batch.length === 1) return [];
  const half = Math.ceil(batch.length / 2);
  const left = soundOf(batch.slice(0, half), allHold);
  return [...left, ...soundOf(batch.slice(half), allHold, left.length === half)];
}

function batchHolds(
  key: PreparedKey,
  batch: readonly ProofPoints[],
  powers: readonly Fr[],
): boolean {
  const weighted = batch.map((proof, index) => ({ proof, power: at(powers, index) }));
  const sum = powers.reduce((total, power) => add(total, power));
  const coefficients = key.ic
    .slice(1)
    .map((_, input) =>
      weighted
        .map(({ proof, power }) => mul(at(proof.publicInputs, input), power))
        .reduce((total, term) => add(total, term)),
    );
  const inputs = mulVec([...key.ic], [sum, ...coefficients]);
  const c = mulVec(
    batch.map((proof) => proof.c),
    [...powers],
  );
  const product = weighted
    .map(({ proof, power }) => millerLoop(mul(proof.a, power), proof.b))
    .reduce(
      (total, loop) => mul(total, loop),
      mul(
        precomputedMillerLoop(mul(key.alpha, sum), key.minusBeta),
        precomputedMillerLoop2(inputs, key.minusGamma, c, key.minusDelta),
      ),
    );
  return finalExp(product).isOne();
}

function freshRandomisers(count: number): readonly Fr[] {
  return Array.from({ length: count }, () => {
    const power = BigInt(`0x${randomBytes(RANDOMISER_BYTES).toString('hex')}`);
    // A power of 0 would remove its proof from the equation.
    return toFr(power === 0n ? 1n : power);
  });
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no value at ${index}`);
  return value;
}
