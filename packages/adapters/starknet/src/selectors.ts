import { toFelt, type Felt } from '@sotto/kernel';
import { hash, shortString } from 'starknet';

const known = new Map<string, Felt>();

/**
 * Selector of an entry point: the name's Keccak cut to 250 bits. Kept, because the same few are
 * asked for all the time.
 */
export function selectorOf(entrypoint: string): Felt {
  const selector = known.get(entrypoint) ?? toFelt(hash.getSelectorFromName(entrypoint));
  known.set(entrypoint, selector);
  return selector;
}

/**
 * The felt of at most 31 ASCII characters, for example a chain's name.
 * @throws Error for longer or other text
 */
export function shortStringFelt(text: string): Felt {
  return toFelt(shortString.encodeShortString(text));
}
