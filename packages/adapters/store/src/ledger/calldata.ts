import { Felts } from '@sotto/kernel';

/** What a row of `calldata` holds: packed felts, or words where an earlier release wrote it. */
export function toFelts(words: Uint8Array): Felts {
  return Felts.isPacked(words) ? Felts.fromPacked(words) : Felts.fromBytes(words);
}
