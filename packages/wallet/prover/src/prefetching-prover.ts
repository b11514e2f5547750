import type { ProveOptions, Prover } from '@sotto/wallet/advanced';

/** Prover whose files can be fetched before they are needed. */
export interface PrefetchingProver extends Prover {
  /**
   * Fetches and checks all files of the next proof. Afterwards, this prover can create a proof
   * offline. Fetched files are not fetched again.
   * @throws ProverError ARTEFACT_MISMATCH, ARTEFACT_UNAVAILABLE, WORKER_FAILED; the signal's reason
   *   when the signal aborts
   */
  prefetch(options?: ProveOptions): Promise<void>;
}
