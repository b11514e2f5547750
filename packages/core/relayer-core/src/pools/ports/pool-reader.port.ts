import type { Felt } from '@sotto/kernel';
import type { DepositFacts } from '../domain/deposit-traffic.js';
import type { PoolStatus } from '../domain/pool.js';
import type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';
import type { WithdrawalStatement } from '../domain/withdrawal.js';

/** State of a pool and of one withdrawal from it, at ACCEPTED_ON_L2. */
export interface WithdrawalFacts {
  /** Most that a relayer may take from the withdrawal, in the token's smallest unit. */
  readonly maxFee: bigint;
  /** Leaves inserted so far. */
  readonly nextIndex: number;
  /** Of these, the last ones that wait for their batch. */
  readonly undeployedCount: number;
  readonly rootKnown: boolean;
  readonly nullifierSpent: boolean;
  /**
   * Content of a swap pool's note. Null if no swap has filled its leaf, and for notes of other
   * pools.
   */
  readonly leaf: SwapLeaf | null;
}

/** Inputs that identify a withdrawal. */
export type WithdrawalPlace = Pick<WithdrawalStatement, 'root' | 'nullifierHash' | 'batchStart'>;

export interface DepositQuestion {
  readonly pool: Felt;
  readonly token: Felt;
  readonly commitment: bigint;
  readonly depositor: Felt;
}

/**
 * Reads of shielded pools and swap pools, at the newest accepted block unless a method says
 * otherwise. Rejects with a `DomainError` when the node can't answer or answers what no pool or
 * token can.
 */
export abstract class PoolReader {
  /**
   * All that the pool says of itself, read from one block in one batched round trip. A failed read
   * is never a "0".
   */
  abstract poolStatus(pool: Felt): Promise<PoolStatus>;
  /** Deposits that wait for a batch, as the pre-confirmed block leaves them. */
  abstract preConfirmedWaiting(pool: Felt): Promise<number>;
  abstract withdrawalFacts(pool: Felt, withdrawal: WithdrawalPlace): Promise<WithdrawalFacts>;
  abstract nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean>;
  /** All that a deposit depends on, in one round trip. */
  abstract depositFacts(question: DepositQuestion): Promise<DepositFacts>;
  /**
   * Returns a leaf of a swap pool, in one round trip. Null for a leaf that no swap has filled.
   */
  abstract leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null>;
  /** All that a swap pool says of itself, in one round trip. */
  abstract figures(swapPool: Felt): Promise<SwapPoolFigures>;
  /** True if the swap pool's tree has a leaf with the commitment. */
  abstract hasCommitment(swapPool: Felt, commitment: bigint): Promise<boolean>;
}
