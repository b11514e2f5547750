import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { ProofLayoutInvalid, SCALAR_FIELD_ORDER, readProofCalldata } from '../../src/layout.js';
import { realCalldata, realProof, vector } from '../support/vector.js';

const TOTAL = 2020;
const LIMB = 1n << 96n;
const HALF = 1n << 128n;
const SIGN_FLAG = 1n << 128n;

const values = Array.from({ length: realCalldata.length }, (_, index) => realCalldata.at(index));
const changed = (index: number, value: bigint): Felts => Felts.of(values.with(index, value));

function rejection(felts: Felts, publicInputCount?: number): ProofLayoutInvalid {
  try {
    readProofCalldata(felts, publicInputCount === undefined ? {} : { publicInputCount });
  } catch (error) {
    if (error instanceof ProofLayoutInvalid) return error;
    throw error;
  }
  throw new Error('the calldata was accepted');
}

describe('readProofCalldata on the calldata of a real withdrawal', () => {
  it('readProofCalldata returns the points and inputs that the prover wrote', () => {
    const { pi_a: a, pi_b: b, pi_c: c } = vector.proof;

    expect([realProof.a.x, realProof.a.y].map(String)).toEqual(a.slice(0, 2));
    expect([realProof.b.x, realProof.b.y].map((pair) => pair.map(String))).toEqual(b.slice(0, 2));
    expect([realProof.c.x, realProof.c.y].map(String)).toEqual(c.slice(0, 2));
    expect(realProof.publicInputs.map(String)).toEqual(vector.publicInputs);
  });

  it('readProofCalldata returns calldata that has a length felt unchanged', () => {
    expect(readProofCalldata(realCalldata).felts.equals(realCalldata)).toBe(true);
  });

  it('readProofCalldata returns the same result for calldata without the length felt', () => {
    const bare = readProofCalldata(realCalldata.slice(1));

    expect(bare.felts.equals(realCalldata)).toBe(true);
    expect(bare.proof).toEqual(realProof);
  });

  it('the malleated proof has different points but the same public inputs', () => {
    const twin = readProofCalldata(Felts.parse(vector.malleatedCalldata)).proof;

    expect(twin.publicInputs).toEqual(realProof.publicInputs);
    expect(twin.a.y).not.toBe(realProof.a.y);
  });
});

describe('readProofCalldata on a bare array that begins with its own rest length', () => {
  it('readProofCalldata treats the first felt as a limb of A.x, even if it could be a length', () => {
    const bare = changed(1, BigInt(TOTAL - 2)).slice(1);

    expect(readProofCalldata(bare).proof.a.x % LIMB).toBe(BigInt(TOTAL - 2));
  });
});

describe('readProofCalldata with an invalid layout', () => {
  it.each([0, 1, 2, TOTAL - 2, TOTAL + 1, 5000])('rejects proof calldata of %i felts', (length) => {
    const felts = Felts.of(Array.from({ length }, (_, index) => values[index] ?? 0n));

    expect(rejection(felts).details).toEqual({ reason: 'total_length', length, expected: TOTAL });
  });

  it.each([0n, BigInt(TOTAL - 2), BigInt(TOTAL)])(
    'rejects proof calldata with a length felt of %i',
    (length) => {
      expect(rejection(changed(0, length)).details).toEqual({ reason: 'length_felt', index: 0 });
    },
  );

  it('rejects proof calldata whose number of public inputs differs from the expected number', () => {
    expect(rejection(realCalldata, 6).details).toMatchObject({
      reason: 'total_length',
      expected: TOTAL - 14,
    });
  });

  it.each([
    ['the number of public inputs', 33, 7],
    ['the number of remainders', 138, 34],
    ['the number of quotient coefficients', 1363, 190],
    ['the number of hint felts', 1935, 84],
  ])('rejects proof calldata with a wrong value for %s', (_, index, expected) => {
    for (const wrong of [0n, BigInt(expected) - 1n, BigInt(expected) + 1n, 1n << 64n]) {
      expect(rejection(changed(index, wrong)).details).toEqual({
        reason: 'count',
        index,
        expected,
      });
    }
  });

  it.each([
    ['the first of A', 1],
    ['the last of A', 8],
    ['the first of B', 9],
    ['the last of C', 32],
    ['the first of the lambda root', 48],
    ['the last of w', 137],
    ['the first remainder', 139],
    ['the last remainder', 1362],
    ['the first quotient coefficient', 1364],
    ['the last quotient coefficient', 1933],
    ['the first hint point', 1936],
    ['the last hint point', 2015],
  ])('rejects proof calldata with a limb of 2^96 at %s', (_, index) => {
    expect(rejection(changed(index, LIMB)).details).toEqual({ reason: 'limb', index });
    expect(readProofCalldata(changed(index, LIMB - 1n)).felts.at(index)).toBe(LIMB - 1n);
  });

  it.each([34, 35, 46, 47])('rejects proof calldata with a half of 2^128 at index %i', (index) => {
    expect(rejection(changed(index, HALF)).details).toEqual({ reason: 'half', index });
    expect(readProofCalldata(changed(index, HALF - 1n)).felts.at(index)).toBe(HALF - 1n);
  });

  it('the error index of invalid proof calldata counts the length felt, even if this felt is missing', () => {
    expect(rejection(changed(139, LIMB).slice(1)).details).toEqual({ reason: 'limb', index: 139 });
  });

  it('the error for an invalid layout has the kind invalid and a stable code, and contains no value of the calldata', () => {
    const secret = 0xdeadbeefn << 96n;
    const failure = rejection(changed(1, secret));

    expect(failure).toMatchObject({ code: 'PROOF_LAYOUT_INVALID', kind: 'invalid' });
    expect(`${failure.message} ${JSON.stringify(failure.details)}`).not.toMatch(
      /deadbeef|295990755076957304691/,
    );
  });
});

describe('readProofCalldata on values that are checked elsewhere', () => {
  it('readProofCalldata accepts public inputs ≥ r', () => {
    const input = SCALAR_FIELD_ORDER + 5n;
    const felts = Felts.of(values.with(34, input % HALF).with(35, input / HALF));

    expect(readProofCalldata(felts).proof.publicInputs[0]).toBe(input);
  });

  it('readProofCalldata accepts any felt as the point z and as a signed scalar of a hint', () => {
    for (const index of [1934, 1944, 1947, 2016, 2019]) {
      expect(readProofCalldata(changed(index, SIGN_FLAG + 1n)).felts.at(index)).toBe(
        SIGN_FLAG + 1n,
      );
    }
  });
});
