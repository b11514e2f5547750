import { describe, expect, it } from '@jest/globals';
import { FIELD_PRIME, InvalidFelt } from '@sotto/kernel';
import { poseidon, poseidonOf } from '@sotto/stark-hash';
import * as fc from 'fast-check';
import { EDGES, anyFelt, byStarknetJs, rawWords, spread, wordsOf } from '../support/felts.js';

describe('poseidon compared with starknet.js', () => {
  it('the Poseidon hash equals that of starknet.js for any short list of felts', () => {
    fc.assert(
      fc.property(fc.array(anyFelt, { maxLength: 7 }), (values) => {
        const expected = byStarknetJs(values);
        expect(poseidon(wordsOf(values))).toBe(expected);
        expect(poseidonOf(values)).toBe(expected);
      }),
      { numRuns: 1_500 },
    );
  });

  it('the Poseidon hash equals that of starknet.js for every extreme felt, alone and together with other felts', () => {
    for (const edge of EDGES) {
      for (const values of [
        [edge],
        [edge, edge],
        [edge, 0n],
        [0n, edge],
        [edge, FIELD_PRIME - 1n],
        [1n, 1n, edge],
      ]) {
        expect([values, poseidon(wordsOf(values))]).toEqual([values, byStarknetJs(values)]);
      }
    }
  });

  it.each([0, 1, 2, 3, 4, 5, 64, 2_020, 2_023, 2_024, 2_046, 2_047, 2_048, 2_049, 4_096, 4_097])(
    'the Poseidon hash equals that of starknet.js for %d different felts',
    (length) => {
      expect(poseidon(wordsOf(spread(length)))).toBe(byStarknetJs(spread(length)));
    },
  );

  it.each([0n, 1n, FIELD_PRIME - 1n])(
    'the Poseidon hash of an input as long as withdrawal calldata, with only the felt %d, equals that of starknet.js',
    (value) => {
      const values = spread(2_020).fill(value);
      expect(poseidon(wordsOf(values))).toBe(byStarknetJs(values));
    },
  );

  it('the Poseidon hash equals the hash of starknet.js in a chain of 500 hashes', () => {
    let ours = 3n;
    let theirs = 3n;
    for (let index = 0n; index < 500n; index += 1n) {
      ours = poseidonOf([ours, index]);
      theirs = byStarknetJs([theirs, index]);
      expect(ours).toBe(theirs);
    }
  });
});

describe('poseidon', () => {
  const outside = [
    FIELD_PRIME,
    FIELD_PRIME + 1n,
    FIELD_PRIME + 2n ** 64n,
    FIELD_PRIME + 2n ** 128n,
    2n ** 252n,
    2n ** 256n - 1n,
  ];

  it.each(outside)(
    'poseidon rejects %d, which is not a felt, in any position of its input',
    (value) => {
      for (const [length, position] of [
        [1, 0],
        [4, 0],
        [4, 1],
        [4, 3],
        [5, 4],
        [2_049, 7],
        [2_049, 2_048],
      ] as const) {
        const values = spread(length).with(position, value);
        expect(() => poseidon(rawWords(values))).toThrow(InvalidFelt);
      }
      expect(() => poseidonOf([value])).toThrow(InvalidFelt);
    },
  );

  it('poseidon rejects any 32-byte value that is not a felt', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: FIELD_PRIME, max: 2n ** 256n - 1n }), (value) => {
        expect(() => poseidon(rawWords([1n, value]))).toThrow(InvalidFelt);
      }),
    );
    expect(() => poseidonOf([-1n])).toThrow(InvalidFelt);
  });

  it('poseidon returns a correct hash after it has rejected an input', () => {
    expect(() => poseidon(rawWords([FIELD_PRIME]))).toThrow(InvalidFelt);
    expect(poseidonOf([FIELD_PRIME - 1n])).toBe(byStarknetJs([FIELD_PRIME - 1n]));
  });

  it.each([1, 31, 33, 63])(
    'poseidon rejects an input of %d bytes, which is not a multiple of 32',
    (length) => {
      expect(() => poseidon(new Uint8Array(length))).toThrow(InvalidFelt);
    },
  );

  it('poseidon does not change its input', () => {
    const words = wordsOf(spread(5));
    poseidon(words);
    expect(words).toEqual(wordsOf(spread(5)));
  });
});
