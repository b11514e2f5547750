import type { Transfer } from '../domain/transfer.js';

/**
 * Stores the reports about transfers with their times. Durable: no time is lost by a restart.
 * Rejects with a `DomainError` if the store is unavailable.
 */
export abstract class TransferStore {
  /** Returns null if the transfer is unknown. */
  abstract get(transactionId: string): Promise<Transfer | null>;
  /**
   * Replaces the stored transfer by the result of `change`, and resolves to that. The update is
   * atomic: each of several concurrent updates sees the previous one's result. `change` must be
   * pure, because it may be called again. If it returns its argument, nothing is written.
   */
  abstract update(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer>;
  /**
   * Deletes transfers that last changed before `usedMs`, and quotes without a deposit that last
   * changed before `unusedMs`. Returns the number of deleted transfers.
   */
  abstract forget(changedBeforeMs: { usedMs: number; unusedMs: number }): Promise<number>;
  /** Number of transfers whose delivery was claimed without evidence at this time or earlier. */
  abstract countUnconfirmed(sinceSeconds: number): Promise<number>;
}
