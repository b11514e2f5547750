import type { Note } from './notes/note.js';
import type { MerklePath } from './pools/merkle-tree.js';

interface WithdrawalTerms {
  readonly note: Note;
  /** Starknet address of the recipient. */
  readonly recipient: bigint;
  /** Starknet address that earns the fee, regardless of the transaction's sender. */
  readonly relayer: bigint;
  /** Fee in the smallest unit of the pool's token, such as `feeAmount` of a quote. */
  readonly feeAmount: bigint;
  /** Index of the first leaf of the note's batch. */
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * Withdrawal with the note's position in the tree: either all leaves in order of insertion, or a
 * precomputed path.
 */
export type WithdrawalRequest = WithdrawalTerms &
  ({ readonly leaves: readonly bigint[] } | { readonly path: MerklePath });

/** Progress of a proof; `fraction` grows from 0 to 1. */
export interface ProvingProgress {
  readonly step: 'artefacts' | 'proof' | 'calldata';
  readonly fraction: number;
}

export interface ProveOptions {
  /** Stops the work at once; `prove` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProvingProgress) => void;
}

/**
 * Creates proofs for a wallet: `createWorkerProver` of `@sotto/prover`, or another implementation.
 */
export interface Prover {
  /**
   * @returns the calldata of the proof, lower-case 0x hex, including the length felt
   * @throws the cause if no proof could be created; the signal's reason when that aborts
   */
  prove(request: WithdrawalRequest, options?: ProveOptions): Promise<readonly string[]>;
}
