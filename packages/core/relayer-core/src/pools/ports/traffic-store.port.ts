import type { EndedDeposit, LiveCall } from '../domain/deposit-traffic.js';

export type { EndedDeposit, LiveCall } from '../domain/deposit-traffic.js';

/**
 * Reads attempts in flight and recent deposits on chain from the ledger's rows. Rejects with a
 * `DomainError` if the store is unavailable.
 */
export abstract class TrafficStore {
  /** Returns attempts that have not ended, oldest first. */
  abstract live(): Promise<readonly LiveCall[]>;
  /**
   * Returns deposits that were accepted at or after this time and are on chain, succeeded or
   * reverted, sorted by the time at which they ended.
   */
  abstract depositsSince(sinceMs: number): Promise<readonly EndedDeposit[]>;
}
