import type { Transfer } from '../domain/transfer.js';

/**
 * What was seen of transfers, and when. Durable: a restart forgets no time. Rejects with a
 * `DomainError` when the store can't answer.
 */
export abstract class TransferStore {
  /** Null when nothing was remembered. */
  abstract get(transactionId: string): Promise<Transfer | null>;
  /**
   * Replaces what is remembered by what `change` makes of it, and resolves to that. One step: of
   * concurrent updates each sees what the one before it wrote. `change` is pure, since it may be
   * called again. When it returns what it was given, nothing is written.
   */
  abstract update(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer>;
  /**
   * Forgets transfers that last changed before the moment; returns how many. Quotes of which no
   * deposit was seen have a moment of their own.
   */
  abstract forget(changedBeforeMs: { usedMs: number; unusedMs: number }): Promise<number>;
  /** Number of transfers whose delivery was claimed, without evidence, at the moment or before. */
  abstract countUnconfirmed(sinceSeconds: number): Promise<number>;
}
