import type { Felt } from '@sotto/kernel';

/** What a private swap left in the swap pool's tree. */
export interface SwapDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  readonly outputToken: Felt;
  readonly outputAmount: bigint;
}

/** Reads what stands in the swap pool's tree. Rejects with a `Fault` when the node can't answer. */
export interface SwapDeposits {
  /** From the transaction's receipt: null when it has none yet, or none with a `SwapDeposit` event of the swap pool. */
  depositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
  /** Whether the tree has a leaf with the commitment, at the newest accepted block. */
  hasCommitment(commitment: bigint): Promise<boolean>;
}

export const SwapDeposits: unique symbol = Symbol.for('@sotto/relayer-core/SwapDeposits');
