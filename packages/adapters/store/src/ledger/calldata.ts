import { Felts } from '@sotto/kernel';

/** Decodes a row of `calldata`: packed felts, or 32-byte words in rows of earlier releases. */
export function toFelts(words: Uint8Array): Felts {
  return Felts.isPacked(words) ? Felts.fromPacked(words) : Felts.fromBytes(words);
}
