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
 * Many proofs under one key, checked by one equation: the product of theirs, each raised to a
 * random power rᵢ,
 *
 *    Π e(rᵢ·Aᵢ, Bᵢ) = e(Σrᵢ·α, β) · e(Σrᵢ·IC₀ + Σⱼ (Σᵢ rᵢxᵢⱼ)·ICⱼ, γ) · e(Σrᵢ·Cᵢ, δ)
 *
 * which costs a Miller loop for each proof, but the three loops of the key and the final
 * exponentiation once.
 *
 * - Proofs that hold pass whatever the powers are.
 * - One that does not hold leaves an element other than 1 in a group of prime order r (all points
 *   are members of their groups, which is checked before), so the product is 1 for at most one of
 *   the 2¹²⁸ − 1 powers that its rᵢ may have, whatever the others are. The powers are drawn when
 *   the batch can't be changed any more.
 */

const RANDOMISER_BYTES = 16;

/** What the check of a batch found. */
export interface BatchVerdict {
  /** In the order of the proofs. */
  readonly holds: readonly boolean[];
  /** A proof of well-formed points did not hold, which is what makes a batch cost more. */
  readonly failed: boolean;
}

/** Powers for a batch of this size. */
export type Randomisers = (count: number) => readonly Fr[];

/**
 * Prepares a key and returns its check of many proofs at once: what each one's own check says of
 * it, but for a chance of 2⁻¹²⁸. Malformed proofs stay out of the equation. A batch that fails is
 * halved until each proof that does not hold has failed alone, so nothing is refused but by its own
 * equation.
 * @param randomisers fresh for each equation
 * @throws VerificationKeyInvalid when a point of the key is not in its group.
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
 * The members that hold, found by halving.
 * @param allHold whether all of a batch hold
 * @param hasUnsound at least one of them is known not to hold
 */
export function soundOf<T>(
  batch: readonly T[],
  allHold: (batch: readonly T[]) => boolean,
  hasUnsound = false,
): readonly T[] {
  if (batch.length === 0) return [];
  // One alone is always asked itself.
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
    // 0 would leave its proof out of the equation.
    return toFr(power === 0n ? 1n : power);
  });
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no value at ${index}`);
  return value;
}
