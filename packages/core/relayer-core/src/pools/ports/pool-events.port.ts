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

/** What a private swap left in the swap pool's tree. */
export interface SwapDeposit {
  readonly commitment: bigint;
  readonly leafIndex: number;
  readonly outputToken: Felt;
  readonly outputAmount: bigint;
}

/**
 * What pools have done, by their events. Rejects with a `DomainError` when the node can't answer,
 * or not within as many round trips as one question may cost.
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
   * From the transaction's receipt, whose `BatchDeployed` event may stand beside the `Deposit`:
   * null when it has none yet, or none with a deposit into this pool.
   */
  abstract depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null>;
  /**
   * From the transaction's receipt: null when it has none yet, or none with a `SwapDeposit` event
   * of the swap pool.
   */
  abstract swapDepositOf(transactionHash: Felt): Promise<SwapDeposit | null>;
  /**
   * Who spent a note, by the pool's `Withdrawal` event, whose key is the nullifier's hash: the hash
   * of the transaction with that event in a block at ACCEPTED_ON_L2, the first where there are
   * several; null when no transaction has it.
   */
  abstract spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null>;
}
