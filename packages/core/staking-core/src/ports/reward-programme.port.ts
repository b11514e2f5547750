import type { LendingPool } from '../domain/lending-pool.js';

/**
 * What a reward programme pays suppliers of a pool on top of the interest, as a yearly rate without
 * compounding, 1e18 being 100 %. 0 when the programme of the pool has ended or never was. Null
 * where no programme is asked. Rejects with a `DomainError`, and within a time of its own, when it
 * can't be known: an outage is never a 0 here.
 */
export abstract class RewardProgramme {
  abstract supplyAprE18(pool: LendingPool): Promise<bigint | null>;
}
