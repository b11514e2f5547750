import type { Transfer } from '../domain/transfer.js';

/**
 * Stores the reports about transfers with their times. The store is durable: the times survive a
 * restart. Methods reject with a `DomainError` if the store is unavailable.
 */
export abstract class TransferStore {
  /** Returns the stored transfer; null if the transfer is unknown. */
  abstract get(transactionId: string): Promise<Transfer | null>;
  /**
   * Replaces the stored transfer by the result of `change`, and resolves to this result. The update
   * is atomic: each of several concurrent updates sees the result of the previous update. `change`
   * must be pure, because the store may call it repeatedly. If `change` returns its argument,
   * nothing is written.
   */
  abstract update(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer>;
  /**
   * Deletes used transfers that last changed before `usedMs`, and quotes without a deposit that
   * last changed before `unusedMs` (Unix milliseconds). Returns the number of deleted transfers.
   */
  abstract forget(changedBeforeMs: { usedMs: number; unusedMs: number }): Promise<number>;
  /**
   * Returns the number of transfers with an unconfirmed delivery that was first reported at the
   * time `sinceSeconds` or earlier.
   */
  abstract countUnconfirmed(sinceSeconds: number): Promise<number>;
}
