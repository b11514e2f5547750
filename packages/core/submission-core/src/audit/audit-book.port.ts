import type { Felt } from '@sotto/kernel';
import type { Attempt, NonceRow, TransactionRow } from '../domain/rows.js';

/** Rows of one lane in a range of nonces, as they stood at one moment. */
export interface AuditedNonces {
  /** Rows that overlap the range, lowest first. */
  readonly rows: readonly NonceRow[];
  /** Every transaction under the nonces of the page, those that can't land included. */
  readonly transactions: readonly TransactionRow[];
  /**
   * Keys of the submissions whose transactions stand under these nonces, and of attempts that name
   * a nonce of an imported range.
   */
  readonly keys: readonly string[];
  /**
   * First nonce of the range that the page leaves out; null when the page reaches the end of the
   * range.
   */
  readonly next: bigint | null;
}

/** A submission with all that was ever signed for it. */
export interface AuditedSubmission {
  readonly key: string;
  /** By number. */
  readonly attempts: readonly Attempt[];
  /** Transactions of these attempts, oldest first. */
  readonly transactions: readonly TransactionRow[];
}

/** An attempt in the order of ends: attempts of one millisecond follow by id. */
export interface EndedCursor {
  readonly endedAtMs: number;
  readonly id: string;
}

export interface EndedPage {
  /** Keys of the attempts of the page, each once. */
  readonly keys: readonly string[];
  /** The last attempt of the page; null for an empty page. */
  readonly last: EndedCursor | null;
}

/**
 * Read-only access of the auditor to the ledger's rows. Rejects with `LedgerUnavailable` when the
 * store can't answer.
 */
export abstract class AuditBook {
  /** Lowest nonce that the ledger has a row for; null for a lane without rows. */
  abstract firstNonce(lane: Felt): Promise<bigint | null>;
  /**
   * Rows of nonces `from` to `through`, both included, at most `limit` rows. A page is one
   * snapshot. A row that covers a range of nonces belongs to each of them.
   */
  abstract nonces(lane: Felt, from: bigint, through: bigint, limit: number): Promise<AuditedNonces>;
  /** Submissions with these keys, each as one snapshot; unknown keys are left out. */
  abstract submissions(keys: readonly string[]): Promise<readonly AuditedSubmission[]>;
  /**
   * Attempts that ended after `after` and not after `untilMs`, in the order of their ends, at most
   * `limit`.
   */
  abstract ended(after: EndedCursor, untilMs: number, limit: number): Promise<EndedPage>;
}
