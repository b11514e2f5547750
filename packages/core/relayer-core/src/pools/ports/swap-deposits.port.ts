import type { Felt } from '@sotto/kernel';

/** What a private swap left in the swap pool's tree. */
export interface SwapDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  readonly outputToken: Felt;
  readonly outputAmount: bigint;
}

/**
 * Reads what stands in the swap pool's tree. Rejects with a `DomainError` when the node can't
 * answer.
 */
export abstract class SwapDeposits {
  /**
   * From the transaction's receipt: null when it has none yet, or none with a `SwapDeposit` event
   * of the swap pool.
   */
  abstract depositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
  /** Whether the tree has a leaf with the commitment, at the newest accepted block. */
  abstract hasCommitment(commitment: bigint): Promise<boolean>;
}
