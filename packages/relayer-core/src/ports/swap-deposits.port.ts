import type { Felt } from '@sotto/kernel';

/** What a private swap left in the swap pool's tree. */
export interface SwapDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  readonly outputToken: Felt;
  readonly outputAmount: bigint;
}

/** Reads the swap pool's `SwapDeposit` event from a transaction's receipt. */
export interface SwapDeposits {
  /** Null when the transaction has no receipt yet or its receipt no such event of the swap pool. Rejects with a `Fault` when the node can't answer. */
  depositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
}

export const SwapDeposits: unique symbol = Symbol.for('@sotto/relayer-core/SwapDeposits');
