import type { Felt } from '@sotto/kernel';
import type { ExecutionStatus } from '../domain/rows.js';

/** Transaction that was stored under an archived nonce. */
export interface ArchivedTransaction {
  readonly hash: Felt;
  readonly kind: 'call' | 'noop';
  /** Public id of the attempt whose call the transaction executes; null for a no-op. */
  readonly submission: string | null;
  readonly priceStep: number;
  readonly l2MaxAmount: bigint;
  readonly l2MaxPriceFri: bigint;
  readonly l1MaxAmount: bigint;
  readonly l1MaxPriceFri: bigint;
  readonly l1DataMaxAmount: bigint;
  readonly l1DataMaxPriceFri: bigint;
  readonly tipFri: bigint;
  readonly rejectionCode: string | null;
}

/**
 * Nonce whose settlement is final, with all transactions that could have consumed the nonce.
 * Contains no private data.
 */
export interface ArchivedNonce {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Last nonce of an imported range; equal to `nonce` for a single nonce. */
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

/** Stores archived rows. Resolves once the rows would survive a power cut. */
export type KeepArchived = (rows: readonly ArchivedNonce[]) => Promise<void>;

/** Moves rows that the ledger no longer needs out of the ledger. */
export abstract class LedgerArchive {
  /**
   * Moves each lane's oldest nonces, and the transactions under them, out of the ledger. Each of
   * these nonces must be final, redacted and settled longer ago than `retentionMs`. All attempts
   * with a call under these nonces must also have ended longer ago than `retentionMs`. `keep`
   * stores the rows before they are deleted, so a row may be stored twice but is never lost.
   *
   * Attempts remain with key, id, fingerprint and outcome, so that the same request always gets the
   * same answer. A single row replaces the removed nonces, in the same format as an imported range.
   * So a lane has no gap between its rows.
   *
   * Returns the number of removed nonces. Rejects with `LedgerUnavailable`, and with any error of
   * `keep`.
   */
  abstract archive(retentionMs: number, keep: KeepArchived): Promise<number>;
}
