import type { Felt } from '@sotto/kernel';
import type { DeployedLeaves } from './pool-deposits.port.js';

/**
 * A pool's history from its `Deposit` and `BatchDeployed` events, up to the newest accepted block.
 * Rejects with a `DomainError` when the node can't answer.
 */
export abstract class PoolHistory {
  /**
   * Ages in seconds, by the chain's own clock, of the leaves `first` to `first + count - 1`, in
   * that order. Rejects for a deposit that the node does not show.
   */
  abstract agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]>;
  /** Every batch that became active, oldest first. */
  abstract batchesOf(pool: Felt): Promise<readonly DeployedLeaves[]>;
}
