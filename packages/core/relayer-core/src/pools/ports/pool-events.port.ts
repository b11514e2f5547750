import type { Felt } from '@sotto/kernel';

/** Batch of deposits that became active. */
export interface DeployedLeaves {
  readonly id: number;
  /** Leaf of its first deposit. */
  readonly start: number;
  readonly size: number;
}

/** Leaf of a deposit in the pool's tree. */
export interface PoolDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  /**
   * Batch that the deposit completed, if the pool deploys automatically; null while the deposit
   * waits for one.
   */
  readonly batch: DeployedLeaves | null;
}

/** Leaf of a private swap in the swap pool's tree. */
export interface SwapDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  readonly outputToken: Felt;
  readonly outputAmount: bigint;
}

/**
 * Reads events of pools. Rejects with a `DomainError` if the node is unavailable, or if a query
 * needs too many round trips.
 */
export abstract class PoolEvents {
  /**
   * Returns the ages in seconds, by the chain's clock, of the leaves `first` to
   * `first + count - 1`, in that order, up to the newest accepted block. Rejects for a deposit that
   * the node does not show.
   */
  abstract agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]>;
  /** Returns every batch that became active up to the newest accepted block, oldest first. */
  abstract batchesOf(pool: Felt): Promise<readonly DeployedLeaves[]>;
  /**
   * Returns the deposit in the transaction's receipt, with the `BatchDeployed` event if there is
   * one. Null without a receipt, or without a deposit into this pool.
   */
  abstract depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null>;
  /**
   * Returns the swap pool's `SwapDeposit` event in the transaction's receipt. Null without a
   * receipt or without the event.
   */
  abstract swapDepositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
  /**
   * Returns the transaction that spent a note, from the pool's `Withdrawal` event, whose key is the
   * nullifier's hash. Only blocks at ACCEPTED_ON_L2 count, and the first event of several. Null if
   * no transaction has the event.
   */
  abstract spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null>;
}
