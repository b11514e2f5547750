import { poseidon, warmUp } from '@sotto/stark-hash';

/** Number of felts of a withdrawal's transaction hash. */
const FELTS = 2_024;
const BYTES_PER_FELT = 32;
const WARM_UP_RUNS = 20;
const RUNS = 41;

/**
 * Returns the time in ms that this machine needs for one Poseidon hash of 2,024 felts in
 * WebAssembly: the median of 41 runs on one core. The time shows how fast this machine is compared
 * with the machine of another run.
 */
export function calibrationMs(): number {
  warmUp();
  const durationsMs: number[] = [];
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run += 1) {
    const words = new Uint8Array(FELTS * BYTES_PER_FELT);
    // Values of 31 bytes are below the field prime.
    for (let byte = 0; byte < words.length; byte += 1)
      words[byte] = byte % BYTES_PER_FELT === 0 ? 0 : (byte * 31 + run) & 0xff;
    const startMs = performance.now();
    poseidon(words);
    if (run >= WARM_UP_RUNS) durationsMs.push(performance.now() - startMs);
  }
  return durationsMs.toSorted((a, b) => a - b)[(RUNS - 1) / 2] ?? 0;
}
