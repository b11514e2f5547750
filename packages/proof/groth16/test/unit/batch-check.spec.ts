import { beforeAll, describe, expect, it } from '@jest/globals';
import { Fr } from 'mcl-wasm';
import { createBatchCheck, soundOf, type BatchVerdict } from '../../src/batch-check.js';
import { VerificationKeyInvalid } from '../../src/errors.js';
import { BASE_FIELD, SCALAR_FIELD_ORDER, type Groth16Proof } from '../../src/layout.js';
import { outsideSubgroup, SMALL_ORDERS, movedBy, pointOfOrder } from '../support/off-subgroup.js';
import {
  CANCELLING_INPUTS,
  g1Times,
  proveWithSecrets,
  trapdoorKey,
} from '../support/trapdoor-key.js';

type Check = (proofs: readonly Groth16Proof[]) => BatchVerdict;

const proofOf = (seed: number): Groth16Proof =>
  proveWithSecrets([BigInt(seed), BigInt(seed + 1), BigInt(seed + 2)], {
    b: BigInt(seed + 3),
    c: BigInt(seed + 4),
  });
const sound = Array.from({ length: 16 }, (_, index) => proofOf(index + 1));
/** Returns a changed copy of the proof that is well-formed but invalid. */
const unsound = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  publicInputs: proof.publicInputs.with(1, 99n),
});

let check: Check;

beforeAll(async () => {
  check = await createBatchCheck(trapdoorKey);
});

describe('a batch of proofs', () => {
  it.each([1, 2, 3, 5, 16])('the batch check accepts a batch of %i valid proofs', (count) => {
    const batch = sound.slice(0, count);

    expect(check(batch)).toEqual({ holds: batch.map(() => true), failed: false });
  });

  it('the batch check returns an empty list for a batch without proofs', () => {
    expect(check([])).toEqual({ holds: [], failed: false });
  });

  it('the batch check finds a single invalid proof in any position of the batch', () => {
    const batch = sound.slice(0, 5);
    for (const place of batch.keys()) {
      const spoilt = batch.map((proof, index) => (index === place ? unsound(proof) : proof));

      expect(check(spoilt)).toEqual({
        holds: batch.map((_, index) => index !== place),
        failed: true,
      });
    }
  });

  it('the batch check finds every invalid proof of a batch', () => {
    const batch = sound.map((proof, index) => (index % 3 === 0 ? unsound(proof) : proof));

    expect(check(batch).holds).toEqual(batch.map((_, index) => index % 3 !== 0));
    expect(check(sound.map(unsound)).holds).toEqual(sound.map(() => false));
  });

  it('the batch check accepts malleated and repeated proofs', () => {
    const proof = proofOf(7);
    const twin: Groth16Proof = {
      ...proof,
      a: { x: proof.a.x, y: BASE_FIELD - proof.a.y },
      b: {
        x: proof.b.x,
        y: [BASE_FIELD - proof.b.y[0], BASE_FIELD - proof.b.y[1]],
      },
    };
    const cancelling = proveWithSecrets(CANCELLING_INPUTS, { b: 4n, c: 5n });

    expect(check([cancelling, proof, twin, proof, proof]).failed).toBe(false);
  });

  it('the batch check rejects malformed proofs before it computes the equation', () => {
    const [first, second, third] = [proofOf(1), proofOf(2), proofOf(3)];
    const malformed: Groth16Proof[] = [
      { ...first, a: { x: 0n, y: 0n } },
      { ...first, c: { x: 0n, y: 0n } },
      { ...first, b: { x: [0n, 0n], y: [0n, 0n] } },
      { ...first, a: { x: first.a.x, y: first.a.y + 1n } },
      { ...first, b: outsideSubgroup },
      { ...first, publicInputs: [SCALAR_FIELD_ORDER, 0n, 0n] },
      { ...first, publicInputs: [1n] },
    ];

    expect(check([first, ...malformed, second, third])).toEqual({
      holds: [true, ...malformed.map(() => false), true, true],
      failed: false,
    });
  });

  it('the batch check rejects a proof whose B was moved by a point of small order', () => {
    const proof = proofOf(5);
    for (const order of SMALL_ORDERS) {
      const moved = { ...proof, b: movedBy(proof.b, pointOfOrder(order)) };

      expect(check([moved, proofOf(6)]).holds).toEqual([false, true]);
    }
  });

  it('the batch check rejects two proofs whose errors would cancel if their random powers were equal', async () => {
    const [one, other] = [proofOf(8), proofOf(9)];
    const raised = { ...one, c: g1Times(12n + 5n) };
    const lowered = { ...other, c: g1Times(13n - 5n) };
    const ones = await createBatchCheck(trapdoorKey, (count) =>
      Array.from({ length: count }, () => {
        const power = new Fr();
        power.setInt(7);
        return power;
      }),
    );

    // If both proofs have equal powers, the equation accepts them. So the rejection below is due to
    // different powers.
    expect(ones([raised, lowered])).toEqual({ holds: [true, true], failed: false });
    expect(check([raised, lowered])).toEqual({ holds: [false, false], failed: true });
  });

  it('the batch check draws new random powers for each equation', async () => {
    const drawn: string[] = [];
    const real = await createBatchCheck(trapdoorKey, (count) =>
      Array.from({ length: count }, () => {
        const power = new Fr();
        power.setInt(drawn.length + 1);
        drawn.push(power.getStr());
        return power;
      }),
    );
    real([unsound(proofOf(1)), proofOf(2), proofOf(3), proofOf(4)]);

    // Four powers are drawn for the whole batch and two for its left half. If the left half is
    // valid, the right half is not checked as a whole.
    expect(drawn.length).toBeGreaterThan(4);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it('createBatchCheck rejects a key with a point outside its group', async () => {
    await expect(
      createBatchCheck({ ...trapdoorKey, gamma: outsideSubgroup }),
    ).rejects.toBeInstanceOf(VerificationKeyInvalid);
  });
});

describe('halving', () => {
  it('halving a failed batch rejects a proof only after a separate check of this proof', () => {
    const requested: (readonly number[])[] = [];
    const held = soundOf([0, 1, 2, 3, 4, 5, 6, 7], (batch) => {
      requested.push(batch);
      return !batch.some(isBad);
    });

    expect(held).toEqual([0, 1, 2, 4, 5, 7]);
    expect(requested).toContainEqual([3]);
    expect(requested).toContainEqual([6]);
  });

  it('halving a failed batch does not check the second half if the first half is valid', () => {
    const requested: (readonly number[])[] = [];
    soundOf([0, 1, 2, 3], (batch) => {
      requested.push(batch);
      return !batch.includes(3);
    });

    expect(requested).toEqual([[0, 1, 2, 3], [0, 1], [2], [3]]);
  });
});

const isBad = (value: number): boolean => value === 3 || value === 6;
