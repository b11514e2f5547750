import type { Felt } from '@sotto/kernel';
import type { ExecutionStatus } from '../domain/rows.js';

/** Transaction that was stored under an archived nonce. */
export interface ArchivedTransaction {
  readonly hash: Felt;
  readonly kind: 'call' | 'noop';
  /** Public id of the attempt whose call it carries; null for a no-op. */
  readonly submission: string | null;
  readonly priceStep: number;
  readonly l2MaxAmount: bigint;
  readonly l2MaxPriceFri: bigint;
  readonly l1MaxAmount: bigint;
  readonly l1MaxPriceFri: bigint;
  readonly l1DataMaxAmount: bigint;
  readonly l1DataMaxPriceFri: bigint;
  readonly tipFri: bigint;
  readonly refusalCode: string | null;
}

/**
 * Nonce whose end is final, with all transactions that could have consumed it. Contains no private
 * data.
 */
export interface ArchivedNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Equal to `nonce`, except for an imported range. */
  readonly through: bigint;
  readonly submission: string | null;
  readonly settledBy: Felt | null;
  readonly isForeign: boolean;
  readonly execution: ExecutionStatus | null;
  readonly blockNumber: number | null;
  readonly blockHash: Felt | null;
  readonly feeFri: bigint | null;
  readonly settledAtMs: number;
  readonly transactions: readonly ArchivedTransaction[];
}

/** Stores archived rows. Resolves once they would survive a power cut. */
export type KeepArchived = (rows: readonly ArchivedNonce[]) => Promise<void>;

/** Moves rows out of the ledger that it no longer needs. */
export abstract class LedgerArchive {
  /**
   * Moves each lane's oldest nonces, and the transactions under them, out of the ledger. All of
   * these must be settled longer ago than `retentionMs`, final and redacted, and all attempts with
   * a call there must be as old. `keep` has stored rows before they are deleted, so some may be
   * stored twice and none is lost.
   *
   * Attempts remain, with key, id, fingerprint and outcome: the same request gets the same answer
   * for ever. One row replaces the removed nonces, as for imported ones, so lanes have no gap.
   *
   * Returns the number of removed nonces. Rejects with `LedgerUnavailable`, and with any error of
   * `keep`.
   */
  abstract archive(retentionMs: number, keep: KeepArchived): Promise<number>;
}
