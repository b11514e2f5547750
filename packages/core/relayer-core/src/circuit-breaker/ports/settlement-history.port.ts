import type { LiveEntry, MoneyEntry, NoteRevert } from '../domain/money.js';

export type { CallOutcome, LiveEntry, MoneyEntry, NoteRevert } from '../domain/money.js';

/**
 * What submissions brought and cost, by the rows that settled them. Money stays when private data
 * of a submission is wiped. What is not at ACCEPTED_ON_L2 has neither brought nor cost anything
 * yet. Rejects with a `DomainError` when the store can't answer.
 */
export abstract class SettlementHistory {
  /** Attempts that ended at or after the moment, oldest first; of more than `limit`, the newest. */
  abstract ended(sinceMs: number, limit: number): Promise<readonly MoneyEntry[]>;
  /** Returns every revert under one key, in any order. */
  abstract revertsOf(key: string): Promise<readonly NoteRevert[]>;
  /** Attempts that have not ended, oldest first. */
  abstract live(): Promise<readonly LiveEntry[]>;
}
