import type { Felt } from '@sotto/kernel';

/** A batch of deposits that became active. */
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
   * The batch that the deposit completed, where the pool deploys by itself; null while the deposit
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
 * Reads events of pools. Rejects with a `DomainError` when the node can't answer, or needs more
 * round trips than one query may take.
 */
export abstract class PoolEvents {
  /**
   * Ages in seconds, by the chain's own clock, of the leaves `first` to `first + count - 1`, in
   * that order, up to the newest accepted block. Rejects for a deposit that the node does not show.
   */
  abstract agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]>;
  /** Every batch that became active up to the newest accepted block, oldest first. */
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
   * Who spent a note, by the pool's `Withdrawal` event, whose key is the nullifier's hash: the hash
   * of the transaction with that event in a block at ACCEPTED_ON_L2, the first where there are
   * several; null when no transaction has it.
   */
  abstract spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null>;
}
