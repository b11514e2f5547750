import type { EndedDeposit, LiveCall } from '../domain/deposit-traffic.js';

export type { EndedDeposit, LiveCall } from '../domain/deposit-traffic.js';

/**
 * What is on its way, and which deposits came on chain of late, by the ledger's own rows. Rejects
 * with a `DomainError` when the store can't answer.
 */
export abstract class TrafficBook {
  /** Attempts that have not ended, oldest first. */
  abstract live(): Promise<readonly LiveCall[]>;
  /**
   * Deposits that were accepted at or after the moment and are on chain, whether they succeeded or
   * reverted, in the order of their ends.
   */
  abstract depositsSince(sinceMs: number): Promise<readonly EndedDeposit[]>;
}
