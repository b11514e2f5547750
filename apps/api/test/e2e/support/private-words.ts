import { u256ToHalves } from '@sotto/kernel';

/**
 * Smallest number for which a test searches in texts. A smaller number may occur in a text by
 * chance.
 */
export const TELLING = 2n ** 64n;

/**
 * Returns the possible spellings of a number in a text, in lower case. A large number is also split
 * in halves, as in calldata.
 */
export function spellings(value: bigint): readonly string[] {
  return [value, ...u256ToHalves(value)]
    .filter((part) => part >= TELLING)
    .flatMap((part) => [part.toString(16), String(part)]);
}

/**
 * Returns the markers that occur in the text. Each is cut to 40 characters, so that the message of
 * a failed test stays readable.
 */
export function found(text: string, markers: readonly string[]): readonly string[] {
  const haystack = text.toLowerCase();
  return markers
    .filter((marker) => haystack.includes(marker.toLowerCase()))
    .map((marker) => marker.slice(0, 40));
}
