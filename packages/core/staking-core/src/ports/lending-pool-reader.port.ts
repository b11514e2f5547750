import type { LendingPool, LendingSnapshot } from '../domain/lending-pool.js';

export type { LendingPool, LendingPoolState, LendingSnapshot } from '../domain/lending-pool.js';

/**
 * Reads the state of lending pools, all of them at the same accepted block: figures of two blocks
 * never stand side by side. A pool that does not have the asset, or whose answer is impossible, is
 * null and costs no other pool. Rejects with a `DomainError`, and within a time of its own, when
 * the node can't answer, and when no pool of several can be read.
 */
export abstract class LendingPoolReader {
  abstract readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot>;
}
