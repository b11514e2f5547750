import type { Felt } from '@sotto/kernel';
import type { Attempt, NonceRow, TransactionRow } from '../domain/rows.js';

/** Rows of one lane in a range of nonces, read as one snapshot. */
export interface AuditedNonces {
  /** Rows that overlap the range, lowest first. */
  readonly rows: readonly NonceRow[];
  /** All transactions under the nonces of the page, including those that can't land. */
  readonly transactions: readonly TransactionRow[];
  /**
   * Keys of the submissions that have transactions under these nonces, and of attempts that refer
   * to a nonce of an imported range.
   */
  readonly keys: readonly string[];
  /**
   * First nonce of the range that is not on this page; null if the page reaches the end of the
   * range.
   */
  readonly next: bigint | null;
}

/** Submission with all of its attempts and all of its signed transactions. */
export interface AuditedSubmission {
  readonly key: string;
  /** Attempts of the submission, ordered by number. */
  readonly attempts: readonly Attempt[];
  /** Transactions of the submission's attempts, oldest first. */
  readonly transactions: readonly TransactionRow[];
}

/**
 * Position in the list of ended attempts, which is ordered by end time. Attempts that end in the
 * same millisecond are ordered by id.
 */
export interface EndedCursor {
  readonly endedAtMs: number;
  readonly id: string;
}

export interface EndedPage {
  /** Keys of the page's attempts, without duplicates. */
  readonly keys: readonly string[];
  /** Position of the last attempt of the page; null for a page without attempts. */
  readonly last: EndedCursor | null;
}

/**
 * Read-only access of the auditor to the ledger's rows. All methods reject with `LedgerUnavailable`
 * if the store can't answer.
 */
export abstract class AuditStore {
  /** Returns the lowest nonce that the ledger has a row for; null for a lane without rows. */
  abstract firstNonce(lane: Felt): Promise<bigint | null>;
  /**
   * Returns the rows of nonces `from` to `through`, both included, at most `limit` rows. A page is
   * one snapshot. A row that covers a range of nonces is returned for each nonce of its range.
   */
  abstract nonces(lane: Felt, from: bigint, through: bigint, limit: number): Promise<AuditedNonces>;
  /**
   * Returns the submissions with these keys, each read as one snapshot. Unknown keys are omitted.
   */
  abstract submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]>;
  /**
   * Returns attempts that ended later than `after` and at the latest at `untilMs`, ordered by end
   * time, at most `limit` attempts.
   */
  abstract ended(after: EndedCursor, untilMs: number, limit: number): Promise<EndedPage>;
}
