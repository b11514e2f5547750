import type { Felt } from '@sotto/kernel';

/** Batch of deposits that was deployed to the pool's vault. */
export interface DeployedLeaves {
  readonly id: number;
  /** Leaf index of the batch's first deposit. */
  readonly start: number;
  readonly size: number;
}

/** Deposit in the pool's Merkle tree. */
export interface PoolDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  /**
   * Batch that the deposit completed, if the pool deploys batches automatically. Null while the
   * deposit waits for a batch.
   */
  readonly batch: DeployedLeaves | null;
}

/** Note that a private swap has added to the swap pool's tree. */
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
   * Returns the ages of the leaves `first` to `first + count - 1` in seconds, by the chain's clock
   * at the newest accepted block; the first leaf comes first. Rejects if the node returns no event
   * for one of these deposits.
   */
  abstract agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]>;
  /** Returns every batch that was deployed up to the newest accepted block, oldest first. */
  abstract batchesOf(pool: Felt): Promise<readonly DeployedLeaves[]>;
  /**
   * Returns the deposit in the transaction's receipt, with the batch of a `BatchDeployed` event if
   * the receipt contains such an event. Null if the node has no receipt, or the receipt contains no
   * deposit into this pool.
   */
  abstract depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null>;
  /**
   * Returns the swap pool's `SwapDeposit` event from the transaction's receipt. Null if the node
   * has no receipt, or the receipt does not contain the event.
   */
  abstract swapDepositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
  /**
   * Returns the hash of the transaction that spent a note. Reads the pool's `Withdrawal` event,
   * whose key is the nullifier's hash, from blocks at ACCEPTED_ON_L2. If there are several such
   * events, returns the transaction of the first. Null if there is no such event.
   */
  abstract spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null>;
}
