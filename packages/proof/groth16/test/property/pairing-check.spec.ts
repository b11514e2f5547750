import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  BASE_FIELD,
  SCALAR_FIELD_ORDER,
  type G1Point,
  type Groth16Proof,
} from '../../src/layout.js';
import { createPairingCheck } from '../../src/pairing-check.js';
import {
  SMALL_ORDERS,
  movedBy,
  outsideSubgroup,
  pointOfOrder,
  twistPointNear,
} from '../support/off-subgroup.js';
import { holdsBySnarkjs, stopSnarkjs } from '../support/snarkjs-reference.js';
import {
  TRAPDOOR_INPUTS,
  g1Times,
  g2Times,
  proveWithSecrets,
  trapdoorKey,
} from '../support/trapdoor-key.js';
import { realKey, realProof } from '../support/vector.js';

type Mutation = (proof: Groth16Proof, seed: bigint) => Groth16Proof;

const negated = ({ x, y }: G1Point): G1Point => ({ x, y: BASE_FIELD - y });
const minus = (value: bigint): bigint => (BASE_FIELD - value) % BASE_FIELD;
const atSeed = (proof: Groth16Proof, seed: bigint): number =>
  Number(seed % BigInt(proof.publicInputs.length));
const changeInput = (
  proof: Groth16Proof,
  seed: bigint,
  change: (value: bigint) => bigint,
): Groth16Proof => {
  const index = atSeed(proof, seed);
  return {
    ...proof,
    publicInputs: proof.publicInputs.with(index, change(proof.publicInputs[index] ?? 0n)),
  };
};

/**
 * Mutations of a proof by name. If two implementations disagree, fast-check prints the mutation's
 * name.
 */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  none: (proof) => proof,
  'one input replaced': (proof, seed) => changeInput(proof, seed, () => seed),
  'one input incremented': (proof, seed) =>
    changeInput(proof, seed, (value) => (value + 1n) % SCALAR_FIELD_ORDER),
  'r added to an input': (proof, seed) =>
    changeInput(proof, seed, (value) => value + SCALAR_FIELD_ORDER),
  'two inputs swapped': (proof) => ({ ...proof, publicInputs: proof.publicInputs.toReversed() }),
  'A negated': (proof) => ({ ...proof, a: negated(proof.a) }),
  'B negated': ({ b, ...proof }) => ({
    ...proof,
    b: { x: b.x, y: [minus(b.y[0]), minus(b.y[1])] },
  }),
  'C negated': (proof) => ({ ...proof, c: negated(proof.c) }),
  'A and B negated': ({ b, ...proof }) => ({
    ...proof,
    a: negated(proof.a),
    b: { x: b.x, y: [minus(b.y[0]), minus(b.y[1])] },
  }),
  'A replaced by a point of the group': (proof, seed) => ({ ...proof, a: g1Times(seed) }),
  'B replaced by a point of the group': (proof, seed) => ({ ...proof, b: g2Times(seed) }),
  'C replaced by a point of the group': (proof, seed) => ({ ...proof, c: g1Times(seed) }),
  'A and C swapped': (proof) => ({ ...proof, a: proof.c, c: proof.a }),
  'coordinates of A swapped': (proof) => ({ ...proof, a: { x: proof.a.y, y: proof.a.x } }),
  'halves of B swapped': ({ b, ...proof }) => ({
    ...proof,
    b: { x: [b.x[1], b.x[0]], y: [b.y[1], b.y[0]] },
  }),
  'A off the curve': (proof, seed) => ({ ...proof, a: { x: proof.a.x, y: seed } }),
  'C off the curve': (proof, seed) => ({ ...proof, c: { x: seed, y: proof.c.y } }),
  'B off the twist': ({ b, ...proof }, seed) => ({ ...proof, b: { x: b.x, y: [seed, b.y[1]] } }),
  'coordinates of C swapped': (proof) => ({ ...proof, c: { x: proof.c.y, y: proof.c.x } }),
  'coordinates of B swapped': ({ b, ...proof }) => ({ ...proof, b: { x: b.y, y: b.x } }),
  'B replaced by any point of the twist': (proof, seed) => ({
    ...proof,
    b: twistPointNear(seed, seed >> 1n),
  }),
  'B replaced by a point of small order': (proof) => ({
    ...proof,
    b: pointOfOrder(SMALL_ORDERS[0]),
  }),
  'B moved by a point of small order': (proof) => ({
    ...proof,
    b: movedBy(proof.b, pointOfOrder(SMALL_ORDERS[1])),
  }),
  'A, B and C of the group': (proof, seed) => ({
    ...proof,
    a: g1Times(seed),
    b: g2Times(seed >> 1n),
    c: g1Times(seed >> 2n),
  }),
  'B moved out of the subgroup': (proof) => ({ ...proof, b: movedBy(proof.b, outsideSubgroup) }),
};

const scalar = fc.bigInt({ min: 1n, max: SCALAR_FIELD_ORDER - 1n });
const mutation = fc.constantFrom(...Object.keys(MUTATIONS));
const mutate = (name: string, proof: Groth16Proof, seed: bigint): Groth16Proof =>
  MUTATIONS[name]?.(proof, seed) ?? proof;

let holds: (proof: Groth16Proof) => boolean;
let holdsForTrapdoor: (proof: Groth16Proof) => boolean;

beforeAll(async () => {
  holds = await createPairingCheck(realKey);
  holdsForTrapdoor = await createPairingCheck(trapdoorKey);
});

afterAll(stopSnarkjs);

describe('the pairing check compared with snarkjs', () => {
  it.each(Object.keys(MUTATIONS))(
    'the pairing check and snarkjs return the same result for a real proof with the mutation %s',
    async (name) => {
      const proof = mutate(name, realProof, 0x1234567890abcdefn);

      expect(holds(proof)).toBe(await holdsBySnarkjs(realKey, proof));
      expect(holds(proof)).toBe(name === 'none' || name === 'A and B negated');
    },
  );

  it('the pairing check and snarkjs return the same result for proofs of any statement, with and without a mutation', async () => {
    const statement = fc.array(scalar, { minLength: TRAPDOOR_INPUTS, maxLength: TRAPDOOR_INPUTS });
    await fc.assert(
      fc.asyncProperty(
        statement,
        scalar,
        scalar,
        mutation,
        scalar,
        async (inputs, b, c, name, seed) => {
          const proof = mutate(name, proveWithSecrets(inputs, { b, c }), seed);

          expect(holdsForTrapdoor(proof)).toBe(await holdsBySnarkjs(trapdoorKey, proof));
        },
      ),
      { numRuns: 250 },
    );
  });
});

describe('the pairing check', () => {
  it('the pairing check accepts a proof only for its own statement', () => {
    const statement = fc.array(scalar, { minLength: TRAPDOOR_INPUTS, maxLength: TRAPDOOR_INPUTS });
    fc.assert(
      fc.property(statement, statement, scalar, scalar, (inputs, otherInputs, b, c) => {
        const proof = proveWithSecrets(inputs, { b, c });

        expect(holdsForTrapdoor(proof)).toBe(true);
        expect(holdsForTrapdoor({ ...proof, publicInputs: otherInputs })).toBe(
          inputs.every((input, index) => input === otherInputs[index]),
        );
      }),
      { numRuns: 40 },
    );
  });
});
