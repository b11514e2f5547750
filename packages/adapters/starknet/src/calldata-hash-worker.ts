import { poseidon, warmUp } from '@sotto/stark-hash';

warmUp();

/** Answers as soon as the module has been loaded, which includes the warm-up. */
export function ready(): true {
  return true;
}

/** Poseidon of 32-byte big-endian words, each below the field prime. Is given the buffers. */
export function hashWords(parts: readonly Uint8Array[]): bigint {
  return poseidon(Buffer.concat(parts));
}
