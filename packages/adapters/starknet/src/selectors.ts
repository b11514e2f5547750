import { toFelt, type Felt } from '@sotto/kernel';
import { hash, shortString } from 'starknet';

const known = new Map<string, Felt>();

/**
 * Returns the selector of an entry point: the Keccak hash of its name, truncated to 250 bits.
 * Selectors are cached, because the same few names are requested constantly.
 */
export function selectorOf(entrypoint: string): Felt {
  const selector = known.get(entrypoint) ?? toFelt(hash.getSelectorFromName(entrypoint));
  known.set(entrypoint, selector);
  return selector;
}

/**
 * Encodes a text of at most 31 ASCII characters as a felt (Cairo short string), for example the
 * name of a chain.
 * @throws Error if the text is longer or not ASCII
 */
export function shortStringFelt(text: string): Felt {
  return toFelt(shortString.encodeShortString(text));
}
