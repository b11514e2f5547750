import type { LendingPool } from '../domain/lending-pool.js';

/** A reward rate and the time at which it was read. */
export interface RewardRate {
  /** 1e18 being 100 %. */
  readonly aprE18: bigint;
  readonly readAtMs: number;
}

/**
 * Last reward rate of each pool. Durable and shared by all instances. Rejects with a `DomainError`
 * when the store can't answer.
 */
export abstract class RewardRates {
  /** Null for a pool whose rate was never read. */
  abstract last(pool: LendingPool): Promise<RewardRate | null>;
  /** Replaces the rate of the pool. */
  abstract keep(pool: LendingPool, rate: RewardRate): Promise<void>;
}
