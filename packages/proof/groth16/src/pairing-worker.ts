import { workerData } from 'node:worker_threads';
import { SCALAR_FIELD_ORDER, type Groth16Proof } from './layout.js';
import { createPairingCheck } from './pairing-check.js';
import type { VerificationKey } from './verification-key.js';

// CAST: from any; WorkerProofVerifier starts this file, always with a key that it was given as
// such.
const key: VerificationKey = workerData;
const check = await createPairingCheck(key);

/**
 * The engine translates the WebAssembly code a second time after its first runs; until then a check
 * takes up to twice as long.
 */
const WARM_UP_CHECKS = 8;
const [, ...inputs] = key.ic;
const sample: Groth16Proof = {
  a: key.alpha,
  b: key.beta,
  c: key.alpha,
  publicInputs: inputs.map(() => SCALAR_FIELD_ORDER - 1n),
};
for (let run = 0; run < WARM_UP_CHECKS; run += 1) check(sample);

/** Answers as soon as the module has been loaded, which includes the warm-up. */
export function ready(): true {
  return true;
}

/**
 * An exception ends the thread: what threw may have left the WebAssembly instance torn, and the
 * pool starts a fresh one.
 */
export function holds(proof: Groth16Proof): boolean | Promise<never> {
  try {
    return check(proof);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return new Promise(() => {});
  }
}
