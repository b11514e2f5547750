import type { Felt } from '@sotto/kernel';
import type { Attempt, AttemptState, TransactionRow } from '../domain/rows.js';

/** What a list holds; every part narrows it. */
export interface SubmissionFilter {
  readonly state?: AttemptState;
  readonly kind?: string;
  readonly subject?: Felt;
  /** The account whose nonce it has. */
  readonly lane?: Felt;
  readonly acceptedSinceMs?: number;
  readonly acceptedBeforeMs?: number;
}

/** A place in the order of acceptance. */
export interface RegisterCursor {
  readonly acceptedAtMs: number;
  /** Attempts of one millisecond follow by the number of their row. */
  readonly row: bigint;
}

/** An attempt with all that was signed for it. */
export interface RegisteredSubmission {
  readonly attempt: Attempt;
  /** Oldest first. */
  readonly transactions: readonly TransactionRow[];
}

export interface RegisterPage {
  readonly submissions: readonly RegisteredSubmission[];
  /** The last row of the page; null when nothing follows it. */
  readonly next: RegisterCursor | null;
}

/**
 * Read-only access to submissions for those who operate the service, newest first. Each answer is
 * one snapshot. Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class SubmissionRegister {
  /**
   * At most `limit` of those that the filter lets through, accepted before the cursor's. What is
   * accepted meanwhile shifts no page.
   */
  abstract page(
    filter: SubmissionFilter,
    after: RegisterCursor | null,
    limit: number,
  ): Promise<RegisterPage>;
  /** Attempts for which this transaction was signed, or which it ended. */
  abstract ofTransaction(hash: Felt): Promise<readonly RegisteredSubmission[]>;
  /** Every attempt of these keys; unknown keys are left out. */
  abstract ofKeys(keys: readonly string[]): Promise<readonly RegisteredSubmission[]>;
  /** One attempt by its public id; null for an unknown id. */
  abstract ofId(id: string): Promise<RegisteredSubmission | null>;
}
