import { u256ToHalves } from '@sotto/kernel';

/** Numbers below this are too common to say where they come from. */
export const TELLING = 2n ** 64n;

/**
 * What a number may look like in a text, in lower case; large ones also by halves, as they stand in
 * calldata.
 */
export function spellings(value: bigint): readonly string[] {
  return [value, ...u256ToHalves(value)]
    .filter((part) => part >= TELLING)
    .flatMap((part) => [part.toString(16), String(part)]);
}

/** Markers that occur in the text, shortened: the whole text would drown them. */
export function found(text: string, markers: readonly string[]): readonly string[] {
  const haystack = text.toLowerCase();
  return markers
    .filter((marker) => haystack.includes(marker.toLowerCase()))
    .map((marker) => marker.slice(0, 40));
}
