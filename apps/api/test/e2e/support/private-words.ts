import { u256ToHalves } from '@sotto/kernel';

/** Smallest number that identifies its source; smaller ones are too common. */
export const TELLING = 2n ** 64n;

/**
 * Possible spellings of a number in a text, in lower case. Large ones are also split in halves, as
 * in calldata.
 */
export function spellings(value: bigint): readonly string[] {
  return [value, ...u256ToHalves(value)]
    .filter((part) => part >= TELLING)
    .flatMap((part) => [part.toString(16), String(part)]);
}

/** Markers that occur in the text, shortened: the whole text would hide them. */
export function found(text: string, markers: readonly string[]): readonly string[] {
  const haystack = text.toLowerCase();
  return markers
    .filter((marker) => haystack.includes(marker.toLowerCase()))
    .map((marker) => marker.slice(0, 40));
}
