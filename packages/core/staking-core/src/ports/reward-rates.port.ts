import type { LendingPool } from '../domain/lending-pool.js';

/** A reward rate and the time of its read. */
export interface RewardRate {
  /** Rate; 1e18 is 100 %. */
  readonly aprE18: bigint;
  readonly readAtMs: number;
}

/**
 * Stores the last reward rate of each pool. Durable and shared by all instances. Rejects with a
 * `DomainError` if the store is unavailable.
 */
export abstract class RewardRates {
  /** Returns null for a pool whose rate was never read. */
  abstract last(pool: LendingPool): Promise<RewardRate | null>;
  abstract keep(pool: LendingPool, rate: RewardRate): Promise<void>;
}
