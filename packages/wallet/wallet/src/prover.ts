import type { Note } from './notes/note.js';
import type { MerklePath } from './pools/merkle-tree.js';

interface WithdrawalTerms {
  readonly note: Note;
  /** Starknet address of the recipient. */
  readonly recipient: bigint;
  /** Starknet address that earns the fee, regardless of which account sends the transaction. */
  readonly relayer: bigint;
  /** Fee in the smallest unit of the pool's ERC-20 token, such as `feeAmount` of a quote. */
  readonly feeAmount: bigint;
  /** Index of the first leaf of the note's batch. */
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * Withdrawal with the note's position in the tree. The position is given either by all leaves in
 * the sequence of their insertion, or by a precomputed path.
 */
export type WithdrawalRequest = WithdrawalTerms &
  ({ readonly leaves: readonly bigint[] } | { readonly path: MerklePath });

/** Progress of a proof. `fraction` rises from 0 to 1 in each step. */
export interface ProvingProgress {
  readonly step: 'artefacts' | 'proof' | 'calldata';
  readonly fraction: number;
}

export interface ProveOptions {
  /** Signal that stops the work at once; `prove` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProvingProgress) => void;
}

/**
 * Creator of proofs for a wallet: `createWorkerProver` of `@sotto/prover`, or an implementation
 * from outside this project.
 */
export interface Prover {
  /**
   * @returns the calldata of the proof, lower-case 0x hex, including the length felt
   * @throws the cause if no proof could be created; the signal's reason when the signal aborts. If
   *   the error's `code` is `ARTEFACT_UNAVAILABLE`, a file can't be fetched now: the wallet waits
   *   and calls this method again.
   */
  prove(request: WithdrawalRequest, options?: ProveOptions): Promise<readonly string[]>;
}
