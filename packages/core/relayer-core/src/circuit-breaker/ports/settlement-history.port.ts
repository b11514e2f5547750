import type { LiveEntry, MoneyEntry, NoteRevert } from '../domain/money.js';

export type { CallOutcome, LiveEntry, MoneyEntry, NoteRevert } from '../domain/money.js';

/**
 * Income and cost of submissions, from the rows that settled the submissions. These amounts remain
 * when the private data of a submission is redacted. Attempts below ACCEPTED_ON_L2 have neither
 * income nor cost yet. Methods reject with a `DomainError` if the store is unavailable.
 */
export abstract class SettlementHistory {
  /**
   * Returns attempts that ended at or after this time, oldest first. If there are more than `limit`
   * such attempts, returns the newest.
   */
  abstract ended(sinceMs: number, limit: number): Promise<readonly MoneyEntry[]>;
  /** Returns every revert under one key, in any order. */
  abstract revertsOf(key: string): Promise<readonly NoteRevert[]>;
  /** Returns attempts that have not ended, oldest first. */
  abstract live(): Promise<readonly LiveEntry[]>;
}
