import type { DailyClose, SourcedClose } from '../domain/daily-close.js';

export type { SourcedClose } from '../domain/daily-close.js';

/**
 * Daily closes as the sources gave them. Rejects with `LedgerUnavailable` when the store can't
 * answer.
 */
export abstract class ClosesBook {
  /** All sources, both ends included, by day and then by the source's name. */
  abstract closes(fromDay: number, toDay: number): Promise<readonly SourcedClose[]>;
  /** The last answer of a source about a day is the one that is kept. */
  abstract keep(source: string, closes: readonly DailyClose[]): Promise<void>;
}
