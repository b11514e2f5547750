import { poseidon, warmUp } from '@sotto/stark-hash';

warmUp();

/** Returns true when the module is loaded. The warm-up is part of loading. */
export function ready(): true {
  return true;
}

/**
 * Returns the Poseidon hash of 32-byte big-endian values, each below the field prime. The buffers
 * are transferred to this thread, and their memory is freed immediately. Otherwise megabytes of
 * freed buffers would accumulate, because this thread creates little other garbage and the
 * collector rarely runs.
 */
export function hashWords(parts: readonly Uint8Array<ArrayBuffer>[]): bigint {
  const words = joined(parts);
  try {
    return poseidon(words);
  } finally {
    for (const { buffer } of [...parts, words]) if (!buffer.detached) buffer.transfer(0);
  }
}

/** Concatenates the parts; copies only if there is more than one part. */
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
