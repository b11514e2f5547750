import { describe, expect, it } from '@jest/globals';
import { areRight, askedOf, wordsOf } from '../../src/seed-words.js';

describe('the words of a seed', () => {
  it('wordsOf returns the words of BIP 39 in the vectors of its authors', () => {
    expect(wordsOf(new Uint8Array(32)).join(' ')).toBe(`${'abandon '.repeat(23)}art`);
    expect(wordsOf(new Uint8Array(32).fill(0xff)).join(' ')).toBe(`${'zoo '.repeat(23)}vote`);
  });

  it.each([0, 0.5, 0.999])('askedOf chooses different words in ascending order: %f', (random) => {
    const words = Array.from({ length: 24 }, (_, index) => `word${index + 1}`);
    const asked = askedOf(words, 3, () => random);
    const numbers = asked.map(({ number }) => number);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(asked.map(({ word }) => word)).toEqual(numbers.map((number) => `word${number}`));
  });

  it('areRight ignores case and spaces, and rejects another word', () => {
    const asked = [
      { number: 1, word: 'art' },
      { number: 5, word: 'zoo' },
    ];
    expect(areRight(asked, [' Art ', 'zoo'])).toBe(true);
    expect(areRight(asked, ['zoo', 'art'])).toBe(false);
    expect(areRight(asked, ['art'])).toBe(false);
  });
});
