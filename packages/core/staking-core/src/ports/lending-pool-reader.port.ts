import type { LendingPool, LendingSnapshot } from '../domain/lending-pool.js';

export type { LendingPool, LendingPoolState, LendingSnapshot } from '../domain/lending-pool.js';

/**
 * Reads the state of lending pools. All pools are read at the same accepted block, so that figures
 * of two blocks are never mixed. A pool without the asset, or with an impossible state, is null and
 * does not affect the other pools. Rejects with a `DomainError`, within its own deadline, if the
 * node is unavailable or no pool can be read.
 */
export abstract class LendingPoolReader {
  abstract readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot>;
}
