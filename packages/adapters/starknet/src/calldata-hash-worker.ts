import { poseidon, warmUp } from '@sotto/stark-hash';

warmUp();

/** Answers as soon as the module has been loaded, which includes the warm-up. */
export function ready(): true {
  return true;
}

/**
 * Poseidon of 32-byte big-endian words, each below the field prime. Is given the buffers, and gives
 * their memory back at once: to the collector, which sees little else here, megabytes of them are
 * no reason to begin.
 */
export function hashWords(parts: readonly Uint8Array<ArrayBuffer>[]): bigint {
  const words = joined(parts);
  try {
    return poseidon(words);
  } finally {
    for (const { buffer } of [...parts, words]) if (!buffer.detached) buffer.transfer(0);
  }
}

/** In a buffer of its own, where there is more than one part. */
function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const words = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    words.set(part, end);
    end += part.length;
  }
  return words;
}
