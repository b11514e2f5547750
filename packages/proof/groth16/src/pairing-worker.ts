import { workerData } from 'node:worker_threads';
import { createBatchCheck, type BatchVerdict } from './batch-check.js';
import { MAX_BATCH } from './batch-limit.js';
import { SCALAR_FIELD_ORDER, type Groth16Proof } from './layout.js';
import type { VerificationKey } from './verification-key.js';

// CAST: from any; WorkerProofVerifier starts this file, always with a key that it was given as
// a `VerificationKey`.
const key: VerificationKey = workerData;
const check = await createBatchCheck(key);

/**
 * Number of batches that are checked when the thread starts. The engine recompiles the WebAssembly
 * code after its first runs; until then a check needs up to twice as long. The sample proofs are
 * invalid, so each batch is halved until its proofs are checked separately.
 */
const WARM_UP_BATCHES = 1;
const [, ...inputs] = key.ic;
const sample: Groth16Proof = {
  a: key.alpha,
  b: key.beta,
  c: key.alpha,
  publicInputs: inputs.map(() => SCALAR_FIELD_ORDER - 1n),
};
const samples = Array.from({ length: MAX_BATCH / 4 }, () => sample);
for (let run = 0; run < WARM_UP_BATCHES; run += 1) check(samples);

/**
 * Returns true. The pool calls this function to find out that the module is loaded and warmed up.
 */
export function ready(): true {
  return true;
}

/**
 * Checks a batch. An exception ends the thread, because the WebAssembly instance may be
 * inconsistent; the pool then starts a new thread.
 */
export function verdictOf(proofs: readonly Groth16Proof[]): BatchVerdict | Promise<never> {
  try {
    return check(proofs);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return new Promise(() => {});
  }
}
