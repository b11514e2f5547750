import type { Felt } from '@sotto/kernel';

/** A batch of deposits that became active. */
export interface DeployedLeaves {
  readonly id: number;
  /** Leaf of its first deposit. */
  readonly start: number;
  readonly size: number;
}

/** What a deposit left in the pool's tree. */
export interface PoolDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  /**
   * The batch that the deposit completed, where the pool deploys by itself; null while the deposit
   * waits for one.
   */
  readonly batch: DeployedLeaves | null;
}

/**
 * Reads a pool's `Deposit` event from a transaction's receipt, and its `BatchDeployed` event beside
 * it.
 */
export abstract class PoolDeposits {
  /**
   * Null when the transaction has no receipt yet or its receipt no deposit into this pool. Rejects
   * with a `DomainError` when the node can't answer.
   */
  abstract depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null>;
}
