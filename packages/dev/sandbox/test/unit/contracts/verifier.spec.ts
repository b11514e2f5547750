import { describe, expect, it } from '@jest/globals';
import { bn254 } from '@noble/curves/bn254.js';
import type { PublicInputs } from '../../../src/contracts/proof.js';
import { groth16Verifier } from '../../../src/contracts/verifier.js';
import { forge, negate, outsideSubgroup, trapdoorKey } from './trapdoor.js';

const R = bn254.fields.Fr.ORDER;
const Q = bn254.fields.Fp.ORDER;
const INPUTS: PublicInputs = [1n, 2n, 3n, 4n, 5n, 0n, 3n];
const verify = groth16Verifier(trapdoorKey);

describe('Groth16 verifier', () => {
  it('the verifier accepts a valid proof at the first check and from its cache', () => {
    expect(verify(forge(INPUTS))).toBe(true);
    expect(verify(forge(INPUTS))).toBe(true);
  });

  it('the verifier accepts two different proofs with the same public inputs', () => {
    expect(verify(forge(INPUTS, 31n, 37n))).toBe(true);
  });

  it('the verifier accepts (-A, -B, C), because Groth16 proofs are malleable', () => {
    const { a, b, ...rest } = forge(INPUTS);
    const minusB = { x: b.x, y: [Q - b.y[0], Q - b.y[1]] } as const;
    expect(verify({ ...rest, a: negate(a), b: minusB })).toBe(true);
    expect(verify({ ...rest, a: negate(a), b })).toBe(false);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'the verifier rejects a proof whose public input %i was changed',
    (changed) => {
      const proof = forge(INPUTS);
      const input = (index: number): bigint =>
        (INPUTS[index] ?? 0n) + (index === changed ? 1n : 0n);
      expect(
        verify({
          ...proof,
          publicInputs: [input(0), input(1), input(2), input(3), input(4), input(5), input(6)],
        }),
      ).toBe(false);
    },
  );

  it('the verifier rejects public inputs to which r was added', () => {
    const proof = forge(INPUTS);
    const [root, ...others] = INPUTS;
    expect(verify({ ...proof, publicInputs: [root + R, ...others] })).toBe(false);
  });

  it('the verifier rejects points off the curve, points at infinity, and unreduced coordinates', () => {
    const proof = forge(INPUTS);
    const { a, b, c } = proof;
    expect(verify({ ...proof, a: { x: a.x, y: a.y + 1n } })).toBe(false);
    expect(verify({ ...proof, c: { x: 1n, y: 3n } })).toBe(false);
    expect(verify({ ...proof, b: { x: b.x, y: [b.y[0], b.y[1] + 1n] } })).toBe(false);
    expect(verify({ ...proof, a: { x: a.x + Q, y: a.y } })).toBe(false);
    expect(verify({ ...proof, a: { x: 0n, y: 0n } })).toBe(false);
    expect(verify({ ...proof, b: { x: [0n, 0n], y: [0n, 0n] } })).toBe(false);
    expect(verify({ ...proof, c: negate(c) })).toBe(false);
  });

  it('the verifier rejects points of G2 that are on the curve but outside the subgroup', () => {
    const b = outsideSubgroup();
    expect(verify({ ...forge(INPUTS), b })).toBe(false);
    // In a proof, the pairing would also fail with such a B. In a verification key, no pairing
    // equation is checked, so only the subgroup check rejects this point.
    expect(() =>
      groth16Verifier({
        ...trapdoorKey,
        vk_beta_2: [b.x.map(String), b.y.map(String), ['1', '0']],
      }),
    ).toThrow('subgroup');
  });

  it('the verifier accepts a proof for which the sum over the public inputs is the point at infinity', () => {
    // In the test's verification key, the constant term is 101 and the first coefficient is 103.
    const root = R - bn254.fields.Fr.div(101n, 103n);
    const proof = forge([root, 0n, 0n, 0n, 0n, 0n, 0n]);
    expect(verify(proof)).toBe(true);
    expect(verify({ ...proof, c: negate(proof.c) })).toBe(false);
  });

  it('the verifier rejects a key in another format and a key whose points are off the curve', () => {
    expect(() => groth16Verifier({})).toThrow('groth16');
    expect(() => groth16Verifier({ ...trapdoorKey, curve: 'bls12381' })).toThrow('bn128');
    expect(() => groth16Verifier({ ...trapdoorKey, IC: trapdoorKey.IC.slice(1) })).toThrow('IC');
    expect(() => groth16Verifier({ ...trapdoorKey, vk_alpha_1: ['1', '3', '1'] })).toThrow(
      'bad point',
    );
  });

  it('the verifiers of two keys have separate caches', () => {
    const other = groth16Verifier({ ...trapdoorKey, IC: trapdoorKey.IC.toReversed() });
    expect(other(forge(INPUTS))).toBe(false);
    expect(verify(forge(INPUTS))).toBe(true);
  });
});
