import type { Felt } from '@sotto/kernel';
import type { DepositFacts, PendingDeposit } from '../domain/deposit-traffic.js';
import type { PoolStatus } from '../domain/pool.js';
import type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';
import type { WithdrawalStatement } from '../domain/withdrawal.js';

/** State of a pool and of one withdrawal from the pool, at ACCEPTED_ON_L2. */
export interface WithdrawalFacts {
  /** Maximum fee of a relayer for the withdrawal, in the token's smallest unit. */
  readonly maxFee: bigint;
  /** Number of leaves inserted into the pool's tree. */
  readonly nextIndex: number;
  /** Number of deposits at the end of the tree that still wait for a batch. */
  readonly undeployedCount: number;
  readonly rootKnown: boolean;
  readonly nullifierSpent: boolean;
  /**
   * Content of the withdrawn note, if the pool is a swap pool. Null for all other pools, and if no
   * swap has filled the leaf.
   */
  readonly leaf: SwapLeaf | null;
}

/** Public inputs that identify a withdrawal in the contract's views. */
export type WithdrawalPlace = Pick<WithdrawalStatement, 'root' | 'nullifierHash' | 'batchStart'>;

export interface DepositQuestion {
  readonly pool: Felt;
  readonly token: Felt;
  readonly commitment: bigint;
  readonly depositor: Felt;
  /** The depositor's deposits in flight, which the state may contain already. @default none */
  readonly pending?: readonly PendingDeposit[];
}

/**
 * Reads shielded pools and swap pools, at the newest accepted block unless a method states
 * otherwise. Rejects with a `DomainError` if the node is unavailable or returns impossible values.
 */
export abstract class PoolReader {
  /**
   * Returns the whole status of the pool, read from one block in one batched round trip. Rejects if
   * a read fails; a failed read is never replaced by 0.
   */
  abstract poolStatus(pool: Felt): Promise<PoolStatus>;
  /** Returns the number of deposits that wait for a batch in the pre-confirmed block. */
  abstract preConfirmedWaiting(pool: Felt): Promise<number>;
  abstract withdrawalFacts(pool: Felt, withdrawal: WithdrawalPlace): Promise<WithdrawalFacts>;
  abstract nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean>;
  /**
   * Returns all facts that a deposit depends on, of one block and in one round trip. A deposit of
   * `pending` is included if its pool contains the commitment in the same block.
   */
  abstract depositFacts(question: DepositQuestion): Promise<DepositFacts>;
  /**
   * Returns a leaf of a swap pool, in one round trip. Null for a leaf that no swap has filled.
   */
  abstract leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null>;
  /** Returns all values of {@link SwapPoolFigures} for a swap pool, in one round trip. */
  abstract figures(swapPool: Felt): Promise<SwapPoolFigures>;
  /** True if the swap pool's tree has a leaf with the commitment. */
  abstract hasCommitment(swapPool: Felt, commitment: bigint): Promise<boolean>;
}
