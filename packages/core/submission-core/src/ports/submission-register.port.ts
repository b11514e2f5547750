import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptState, TransactionRow } from '../domain/rows.js';

/** Filter of a list; each field narrows it. */
export interface SubmissionFilter {
  readonly state?: AttemptState;
  readonly kind?: string;
  readonly subject?: Felt;
  /** Account whose nonce it has. */
  readonly lane?: Felt;
  readonly acceptedSinceMs?: number;
  readonly acceptedBeforeMs?: number;
}

/** Position in the order of acceptance. */
export interface RegisterCursor {
  readonly acceptedAtMs: number;
  /** Attempts of the same millisecond are ordered by the number of their row. */
  readonly row: bigint;
}

/** Attempt with all transactions signed for it. */
export interface RegisteredSubmission {
  readonly attempt: Attempt;
  /** Sorted from oldest to newest. */
  readonly transactions: readonly TransactionRow[];
}

export interface RegisterPage {
  readonly submissions: readonly RegisteredSubmission[];
  /** Last row of the page; null if no row follows it. */
  readonly next: RegisterCursor | null;
}

/**
 * Gives operators read-only access to submissions, newest first. Each answer is one snapshot.
 * Rejects with `LedgerUnavailable` if the store can't answer.
 */
export abstract class SubmissionRegister {
  /**
   * Returns at most `limit` matching submissions that were accepted before the cursor. New
   * submissions shift no page.
   */
  abstract page(
    filter: SubmissionFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<RegisterPage>;
  /** Returns the attempts for which this transaction was signed, or which it ended. */
  abstract ofTransaction(hash: Felt): Promise<readonly RegisteredSubmission[]>;
  /** Returns every attempt of these keys; unknown keys are left out. */
  abstract ofKeys(keys: readonly string[]): Promise<readonly RegisteredSubmission[]>;
  /** Returns one attempt by its public id; null for an unknown id. */
  abstract ofId(id: string): Promise<RegisteredSubmission | null>;
}
