import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VerificationKeyInvalid } from '../../src/errors.js';
import {
  BASE_FIELD,
  SCALAR_FIELD_ORDER,
  readProofCalldata,
  type G1Point,
  type Groth16Proof,
} from '../../src/layout.js';
import { createPairingCheck } from '../../src/pairing-check.js';
import { Felts } from '@sotto/kernel';
import { SMALL_ORDERS, movedBy, outsideSubgroup, pointOfOrder } from '../support/off-subgroup.js';
import { holdsBySnarkjs, stopSnarkjs } from '../support/snarkjs-reference.js';
import {
  CANCELLING_INPUTS,
  cancellingC,
  g1Times,
  g2Times,
  proveWithSecrets,
  trapdoorKey,
} from '../support/trapdoor-key.js';
import { realKey, realProof, vector } from '../support/vector.js';

type Check = (proof: Groth16Proof) => boolean;

let holds: Check;
let holdsForTrapdoor: Check;

beforeAll(async () => {
  holds = await createPairingCheck(realKey);
  holdsForTrapdoor = await createPairingCheck(trapdoorKey);
});

afterAll(stopSnarkjs);

const negated = ({ x, y }: G1Point): G1Point => ({ x, y: BASE_FIELD - y });
const withInput = (proof: Groth16Proof, index: number, value: bigint): Groth16Proof => ({
  ...proof,
  publicInputs: proof.publicInputs.with(index, value),
});

describe('a valid proof', () => {
  it('the pairing check accepts the proof of a real withdrawal from a wallet', () => {
    expect(holds(realProof)).toBe(true);
  });

  // Any party can rewrite a Groth16 proof: compare statements by their inputs, never by the bytes
  // of their proofs.
  it('the pairing check accepts the malleated proof (−A, −B, C), which proves the same statement', () => {
    const twin = readProofCalldata(Felts.parse(vector.malleatedCalldata)).proof;

    expect(twin.a).toEqual(negated(realProof.a));
    expect(holds(twin)).toBe(true);
  });

  it('the pairing check accepts a proof only under the proof’s own key', () => {
    const other = proveWithSecrets([1n, 2n, 3n], { b: 4n, c: 5n });

    expect([holdsForTrapdoor(other), holds(realProof), holdsForTrapdoor(other)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(holds(other)).toBe(false);
  });

  it('the pairing check accepts a proof whose inputs add up to infinity, as snarkjs does', async () => {
    const proof = proveWithSecrets(CANCELLING_INPUTS, { b: 4n, c: 5n });

    expect(holdsForTrapdoor(proof)).toBe(true);
    expect(await holdsBySnarkjs(trapdoorKey, proof)).toBe(true);
  });

  it('the pairing check accepts proofs for the smallest and the largest inputs', () => {
    for (const input of [0n, 1n, SCALAR_FIELD_ORDER - 1n]) {
      expect(holdsForTrapdoor(proveWithSecrets([input, input, input], { b: 4n, c: 5n }))).toBe(
        true,
      );
    }
  });
});

describe('an invalid proof', () => {
  // Recipient, relayer and fee are public inputs. If one of these inputs were unconstrained, any
  // observer of a proof could redirect the payout.
  it.each([0, 1, 2, 3, 4, 5, 6])(
    'the pairing check rejects a proof if public input %i is different',
    (index) => {
      expect(holds(withInput(realProof, index, (realProof.publicInputs[index] ?? 0n) + 1n))).toBe(
        false,
      );
      expect(holds(withInput(realProof, index, 0n))).toBe(false);
    },
  );

  // x and x + r are the same field element. If both values were accepted, one note would have two
  // nullifiers and could be paid twice.
  it('the pairing check rejects a proof if r is added to an input', () => {
    realProof.publicInputs.forEach((input, index) => {
      expect(holds(withInput(realProof, index, input + SCALAR_FIELD_ORDER))).toBe(false);
    });
    expect(holdsForTrapdoor(proveWithSecrets([SCALAR_FIELD_ORDER, 2n, 3n], { b: 4n, c: 5n }))).toBe(
      false,
    );
    expect(holdsForTrapdoor(proveWithSecrets([0n, 2n, 3n], { b: 4n, c: 5n }))).toBe(true);
  });

  it('the pairing check rejects a proof if an input is negative or has 256 bits', () => {
    expect(
      holds(withInput(realProof, 1, (realProof.publicInputs[1] ?? 0n) - SCALAR_FIELD_ORDER)),
    ).toBe(false);
    expect(holds(withInput(realProof, 1, (1n << 256n) - 1n))).toBe(false);
  });

  // Without this check, a missing input would be treated as zero, and a surplus input would be
  // treated as proven.
  it('the pairing check rejects a proof with fewer or more inputs than its key', () => {
    const { publicInputs } = realProof;
    for (const inputs of [[], publicInputs.slice(0, 6), [...publicInputs, 0n]]) {
      expect(holds({ ...realProof, publicInputs: inputs })).toBe(false);
    }
    expect(
      holdsForTrapdoor({
        ...proveWithSecrets([1n, 2n, 0n], { b: 4n, c: 5n }),
        publicInputs: [1n, 2n],
      }),
    ).toBe(false);
  });

  // If p is added to a coordinate, the point is the same, but the contract rejects the calldata. So
  // a submission would waste gas.
  it('the pairing check rejects a proof if p is added to a coordinate', () => {
    const { a, b, c } = realProof;
    const p = BASE_FIELD;
    const rewritten: Groth16Proof[] = [
      { ...realProof, a: { ...a, x: a.x + p } },
      { ...realProof, a: { ...a, y: a.y + p } },
      { ...realProof, b: { ...b, x: [b.x[0] + p, b.x[1]] } },
      { ...realProof, b: { ...b, x: [b.x[0], b.x[1] + p] } },
      { ...realProof, b: { ...b, y: [b.y[0] + p, b.y[1]] } },
      { ...realProof, b: { ...b, y: [b.y[0], b.y[1] + p] } },
      { ...realProof, c: { ...c, x: c.x + p } },
      { ...realProof, c: { ...c, y: c.y - p } },
    ];
    expect(rewritten.map(holds)).toEqual(rewritten.map(() => false));
  });

  // If a point is off the curve, the formulas compute on a different curve. The small groups of
  // such a curve make the equation easy to satisfy.
  it('the pairing check rejects a proof with a point off its curve', () => {
    const { a, b, c } = realProof;
    const off: Groth16Proof[] = [
      { ...realProof, a: { x: 1n, y: 3n } },
      { ...realProof, a: { x: a.x, y: a.y - 1n } },
      { ...realProof, b: { x: b.x, y: [b.y[0], b.y[1] - 1n] } },
      { ...realProof, b: { x: [b.x[1], b.x[0]], y: [b.y[1], b.y[0]] } },
      { ...realProof, c: { x: c.y, y: c.x } },
      { ...realProof, a: { x: (1n << 384n) - 1n, y: (1n << 384n) - 1n } },
    ];
    expect(off.map(holds)).toEqual(off.map(() => false));
  });

  // The pairing is bilinear only on the subgroup; the soundness proof of Groth16 does not cover
  // other points.
  it('the pairing check rejects a proof whose B is on the twist but outside the subgroup', () => {
    const proof = proveWithSecrets([1n, 2n, 3n], { b: 4n, c: 5n });
    for (const offset of [outsideSubgroup, ...SMALL_ORDERS.map(pointOfOrder)]) {
      expect(holdsForTrapdoor({ ...proof, b: offset })).toBe(false);
      expect(holdsForTrapdoor({ ...proof, b: movedBy(proof.b, offset) })).toBe(false);
    }
  });

  // Infinity has no coordinates; calldata represents it as (0, 0). The soundness proof of Groth16
  // does not cover values that are not points.
  it('the pairing check rejects a proof if A, B or C is infinity', async () => {
    const inputs = [1n, 2n, 3n];
    const infiniteA = proveWithSecrets(inputs, { b: 4n, c: cancellingC(inputs) });
    const infiniteB = { ...infiniteA, a: g1Times(9n), b: g2Times(0n) };
    const infiniteC = proveWithSecrets(inputs, { b: 4n, c: 0n });

    expect([infiniteA.a.x, infiniteB.b.x[0], infiniteC.c.x]).toEqual([0n, 0n, 0n]);
    expect(await holdsBySnarkjs(trapdoorKey, infiniteA)).toBe(true);
    expect(await holdsBySnarkjs(trapdoorKey, infiniteC)).toBe(true);
    expect([infiniteA, infiniteB, infiniteC].map(holdsForTrapdoor)).toEqual([false, false, false]);
  });

  it('the pairing check rejects a proof if only one point is negated, or two points are swapped', () => {
    const { a, c } = realProof;
    const turned: Groth16Proof[] = [
      { ...realProof, a: negated(a) },
      { ...realProof, c: negated(c) },
      { ...realProof, a: c, c: a },
    ];
    expect(turned.map(holds)).toEqual([false, false, false]);
  });
});

describe('the check', () => {
  it('the pairing check accepts a valid proof after any number of invalid proofs', () => {
    const bad: Groth16Proof[] = [
      { ...realProof, a: { x: 1n, y: 3n } },
      { ...realProof, b: outsideSubgroup },
      { ...realProof, c: { x: 0n, y: 0n } },
      withInput(realProof, 0, SCALAR_FIELD_ORDER),
      withInput(realProof, 0, 1n),
    ];
    for (let round = 0; round < 20; round += 1)
      expect(bad.map(holds)).toEqual(bad.map(() => false));

    expect(holds(realProof)).toBe(true);
  });

  it.each([
    ['beta', 'outside the subgroup', { ...trapdoorKey, beta: outsideSubgroup }],
    ['gamma', 'of small order', { ...trapdoorKey, gamma: pointOfOrder(SMALL_ORDERS[0]) }],
    ['delta', 'at infinity', { ...trapdoorKey, delta: g2Times(0n) }],
    ['alpha', 'off its curve', { ...trapdoorKey, alpha: { x: 1n, y: 3n } }],
  ])('createPairingCheck rejects a verification key whose %s is %s', async (field, _, key) => {
    const refused = createPairingCheck(key);

    await expect(refused).rejects.toBeInstanceOf(VerificationKeyInvalid);
    await expect(refused).rejects.toMatchObject({ details: { field, reason: 'not_in_group' } });
  });
});
