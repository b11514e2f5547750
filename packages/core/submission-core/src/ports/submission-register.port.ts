import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptState, TransactionRow } from '../domain/rows.js';

/** Filter of a list of submissions. A submission must match all fields that are set. */
export interface SubmissionFilter {
  readonly state?: AttemptState;
  readonly kind?: string;
  readonly subject?: Felt;
  /** Account whose nonce the attempt has. */
  readonly lane?: Felt;
  readonly acceptedSinceMs?: number;
  readonly acceptedBeforeMs?: number;
}

/** Position in the list of submissions, which is ordered by the time of acceptance. */
export interface RegisterCursor {
  readonly acceptedAtMs: number;
  /** Number of the row. Attempts that were accepted in the same millisecond are ordered by it. */
  readonly row: bigint;
}

/** Attempt with all transactions that were signed for it. */
export interface RegisteredSubmission {
  readonly attempt: Attempt;
  /** Transactions of the attempt, oldest first. */
  readonly transactions: readonly TransactionRow[];
}

export interface RegisterPage {
  readonly submissions: readonly RegisteredSubmission[];
  /** Last row of the page; null if no row follows it. */
  readonly next: RegisterCursor | null;
}

/**
 * Read-only access of operators to submissions, newest first. Each result is one snapshot. All
 * methods reject with `LedgerUnavailable` if the store can't answer.
 */
export abstract class SubmissionRegister {
  /**
   * Returns at most `limit` matching submissions that were accepted before the cursor. If
   * submissions are accepted while a caller reads the pages, the pages that follow remain
   * unchanged.
   */
  abstract page(
    filter: SubmissionFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<RegisterPage>;
  /**
   * Returns the attempts for which this transaction was signed, and the attempts that this
   * transaction ended.
   */
  abstract ofTransaction(hash: Felt): Promise<readonly RegisteredSubmission[]>;
  /** Returns every attempt of these keys; unknown keys are omitted. */
  abstract ofKeys(keys: readonly string[]): Promise<readonly RegisteredSubmission[]>;
  /** Returns one attempt by its public id; null for an unknown id. */
  abstract ofId(id: string): Promise<RegisteredSubmission | null>;
}
