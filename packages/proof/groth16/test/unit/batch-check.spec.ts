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
/** Returns a well-formed proof of a statement that was not proven. */
const unsound = (proof: Groth16Proof): Groth16Proof => ({
  ...proof,
  publicInputs: proof.publicInputs.with(1, 99n),
});

let check: Check;

beforeAll(async () => {
  check = await createBatchCheck(trapdoorKey);
});

describe('a batch of proofs', () => {
  it.each([1, 2, 3, 5, 16])('accepts %i valid proofs', (count) => {
    const batch = sound.slice(0, count);

    expect(check(batch)).toEqual({ holds: batch.map(() => true), failed: false });
  });

  it('returns no result for no proofs', () => {
    expect(check([])).toEqual({ holds: [], failed: false });
  });

  it('finds the invalid proof in any position', () => {
    const batch = sound.slice(0, 5);
    for (const place of batch.keys()) {
      const spoilt = batch.map((proof, index) => (index === place ? unsound(proof) : proof));

      expect(check(spoilt)).toEqual({
        holds: batch.map((_, index) => index !== place),
        failed: true,
      });
    }
  });

  it('finds every invalid proof', () => {
    const batch = sound.map((proof, index) => (index % 3 === 0 ? unsound(proof) : proof));

    expect(check(batch).holds).toEqual(batch.map((_, index) => index % 3 !== 0));
    expect(check(sound.map(unsound)).holds).toEqual(sound.map(() => false));
  });

  it('accepts inputs that add up to infinity, malleated twins, and one proof many times', () => {
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

  it('leaves malformed proofs out of the equation, so that they do not delay others', () => {
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

  it('is not deceived by a B moved by a point of small order, which a power of its order would remove', () => {
    const proof = proofOf(5);
    for (const order of SMALL_ORDERS) {
      const moved = { ...proof, b: movedBy(proof.b, pointOfOrder(order)) };

      expect(check([moved, proofOf(6)]).holds).toEqual([false, true]);
    }
  });

  it('rejects two proofs whose errors cancel if their powers are equal', async () => {
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

    // Equal powers are deceived, so the result below is due to the powers.
    expect(ones([raised, lowered])).toEqual({ holds: [true, true], failed: false });
    expect(check([raised, lowered])).toEqual({ holds: [false, false], failed: true });
  });

  it('draws new powers for each equation', async () => {
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

    // Four for the whole, two for its left half; the result of the right half then follows.
    expect(drawn.length).toBeGreaterThan(4);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it('requires a key whose points are in their groups', async () => {
    await expect(
      createBatchCheck({ ...trapdoorKey, gamma: outsideSubgroup }),
    ).rejects.toBeInstanceOf(VerificationKeyInvalid);
  });
});

describe('halving', () => {
  it('rejects nothing that was not checked alone', () => {
    const asked: (readonly number[])[] = [];
    const held = soundOf([0, 1, 2, 3, 4, 5, 6, 7], (batch) => {
      asked.push(batch);
      return !batch.some(isBad);
    });

    expect(held).toEqual([0, 1, 2, 4, 5, 7]);
    expect(asked).toContainEqual([3]);
    expect(asked).toContainEqual([6]);
  });

  it('does not check the half that must contain the invalid proof', () => {
    const asked: (readonly number[])[] = [];
    soundOf([0, 1, 2, 3], (batch) => {
      asked.push(batch);
      return !batch.includes(3);
    });

    expect(asked).toEqual([[0, 1, 2, 3], [0, 1], [2], [3]]);
  });
});

const isBad = (value: number): boolean => value === 3 || value === 6;
