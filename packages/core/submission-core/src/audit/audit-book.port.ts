import type { Felt } from '@sotto/kernel';
import type { Attempt, NonceRow, TransactionRow } from '../domain/rows.js';

/** Rows of one lane in a range of nonces, as one snapshot. */
export interface AuditedNonces {
  /** Rows that overlap the range, lowest first. */
  readonly rows: readonly NonceRow[];
  /** All transactions under the nonces of the page, including those that can't land. */
  readonly transactions: readonly TransactionRow[];
  /**
   * Keys of the submissions with transactions under these nonces, and of attempts that name a nonce
   * of an imported range.
   */
  readonly keys: readonly string[];
  /** First nonce of the range beyond this page; null when the page reaches the end of the range. */
  readonly next: bigint | null;
}

/** Submission with all attempts and all signed transactions. */
export interface AuditedSubmission {
  readonly key: string;
  /** Ordered by number. */
  readonly attempts: readonly Attempt[];
  /** Transactions of these attempts, oldest first. */
  readonly transactions: readonly TransactionRow[];
}

/** Position in the order of ends. Attempts that end in the same millisecond are ordered by id. */
export interface EndedCursor {
  readonly endedAtMs: number;
  readonly id: string;
}

export interface EndedPage {
  /** Keys of the page's attempts, without duplicates. */
  readonly keys: readonly string[];
  /** The last attempt of the page; null for an empty page. */
  readonly last: EndedCursor | null;
}

/**
 * Gives the auditor read-only access to the ledger's rows. Rejects with `LedgerUnavailable` if the
 * store can't answer.
 */
export abstract class AuditBook {
  /** Returns the lowest nonce that the ledger has a row for; null for a lane without rows. */
  abstract firstNonce(lane: Felt): Promise<bigint | null>;
  /**
   * Returns rows of nonces `from` to `through`, both included, at most `limit` rows. A page is one
   * snapshot. A row that covers a range of nonces belongs to each of them.
   */
  abstract nonces(lane: Felt, from: bigint, through: bigint, limit: number): Promise<AuditedNonces>;
  /** Returns the submissions with these keys, each as one snapshot. Unknown keys are left out. */
  abstract submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]>;
  /**
   * Returns attempts that ended after `after` and not after `untilMs`, in the order of their ends,
   * at most `limit`.
   */
  abstract ended(after: EndedCursor, untilMs: number, limit: number): Promise<EndedPage>;
}
