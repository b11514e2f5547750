import type { LendingPool, LendingSnapshot } from '../domain/lending-pool.js';

export type { LendingPool, LendingPoolState, LendingSnapshot } from '../domain/lending-pool.js';

/**
 * What lending pools say of themselves, all of them at the same accepted block: figures of two
 * blocks never stand side by side. Rejects with a `DomainError`, and within a time of its own, when
 * the node can't answer, a pool does not have the asset, or what it says can't be.
 */
export abstract class LendingPoolReader {
  abstract readPools(pools: readonly LendingPool[]): Promise<LendingSnapshot>;
}
