import type { Note } from './notes/note.js';
import type { MerklePath } from './pools/merkle-tree.js';

interface WithdrawalTerms {
  readonly note: Note;
  /** Starknet address that is paid. */
  readonly recipient: bigint;
  /** Starknet address that earns the fee, for any sender of the transaction. */
  readonly relayer: bigint;
  /** Fee in the smallest unit of the pool's token, such as `feeAmount` of a quote. */
  readonly feeAmount: bigint;
  /** Leaf index at which the note's batch begins. */
  readonly batchStart: number;
  readonly batchSize: number;
}

/**
 * A withdrawal and the note's place in the tree: all leaves in order of insertion, or a path from
 * elsewhere.
 */
export type WithdrawalRequest = WithdrawalTerms &
  ({ readonly leaves: readonly bigint[] } | { readonly path: MerklePath });

/** How far a proof has come; `fraction` grows from 0 to 1. */
export interface ProvingProgress {
  readonly step: 'artefacts' | 'proof' | 'calldata';
  readonly fraction: number;
}

export interface ProveOptions {
  /** Ends the work at once; `prove` rejects with its reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ProvingProgress) => void;
}

/** What makes proofs for a wallet: `createWorkerProver` of `@sotto/prover`, or the caller's own. */
export interface Prover {
  /**
   * @returns the calldata of the proof, lower-case 0x hex, with the length felt
   * @throws whatever says why there is no proof; the signal's reason when that aborts
   */
  prove(request: WithdrawalRequest, options?: ProveOptions): Promise<readonly string[]>;
}
