import type { LendingPool } from '../domain/lending-pool.js';

/** Reward rate and the time at which it was read. */
export interface RewardRate {
  /** Yearly reward rate; 1e18 is 100 %. */
  readonly aprE18: bigint;
  readonly readAtMs: number;
}

/**
 * Stores the last reward rate of each pool. Rates are durable and shared by all instances. Rejects
 * with a `DomainError` if the store is unavailable.
 */
export abstract class RewardRates {
  /** Returns the last rate of the pool; null if its rate was never stored. */
  abstract last(pool: LendingPool): Promise<RewardRate | null>;
  abstract keep(pool: LendingPool, rate: RewardRate): Promise<void>;
}
