import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** Returns the words of BIP 39 for a seed of 32 bytes, which are 24 words. */
export const wordsOf = (seed: Uint8Array): readonly string[] =>
  entropyToMnemonic(seed, wordlist).split(' ');

/** A word that the user must repeat, with its number, which starts at 1. */
export interface Asked {
  readonly number: number;
  readonly word: string;
}

/**
 * Chooses different words that the user must repeat, in ascending order.
 * @param random returns a number in [0, 1)
 */
export function askedOf(
  words: readonly string[],
  count: number,
  random: () => number = Math.random,
): readonly Asked[] {
  const left = words.map((word, index) => ({ number: index + 1, word }));
  const asked: Asked[] = [];
  while (asked.length < count && left.length > 0)
    asked.push(...left.splice(Math.floor(random() * left.length), 1));
  return asked.toSorted((one, other) => one.number - other.number);
}

/** Returns true if the typed words are the requested words. Case and spaces are ignored. */
export const areRight = (asked: readonly Asked[], typed: readonly string[]): boolean =>
  asked.every(({ word }, index) => typed[index]?.trim().toLowerCase() === word);
