import type { LendingPool } from '../domain/lending-pool.js';

/**
 * Reads the rate that a reward programme pays to suppliers of a pool in addition to the interest.
 * The rate is yearly, without compounding; 1e18 is 100 %. Returns 0 if the pool's programme has
 * ended or never existed. Returns null if no programme is configured. Rejects with a `DomainError`,
 * within its own deadline, if the rate can't be read, so an outage never results in 0.
 */
export abstract class RewardProgramme {
  abstract supplyAprE18(pool: LendingPool): Promise<bigint | null>;
}
