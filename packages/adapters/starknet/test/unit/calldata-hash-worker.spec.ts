import { describe, expect, it } from '@jest/globals';
import { Felts } from '@sotto/kernel';
import { poseidon } from '@sotto/stark-hash';
import { hashWords } from '../../src/calldata-hash-worker.js';

const wordsOf = (...values: bigint[]): Uint8Array<ArrayBuffer> => Felts.of(values).toBytes();

describe('calldata hash worker', () => {
  it.each([
    ['one part', [[1n, 2n, 3n]]],
    ['parts one after the other', [[1n], [2n, 3n], [4n]]],
    ['an empty part among them', [[1n], [], [2n]]],
    ['nothing', []],
  ])('the calldata hash worker computes the hash of %s', (_, parts) => {
    const expected = poseidon(wordsOf(...parts.flat()));
    expect(hashWords(parts.map((part) => wordsOf(...part)))).toBe(expected);
  });

  it('the calldata hash worker frees the memory of the calldata immediately, even if a felt is invalid', () => {
    const parts = [wordsOf(1n), wordsOf(2n)];
    const outside = [new Uint8Array(32).fill(0xff)];
    hashWords(parts);
    expect(() => hashWords(outside)).toThrow('outside the Starknet field');
    expect([...parts, ...outside].map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  });
});
