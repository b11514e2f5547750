import type { DailyClose, SourcedClose } from '../domain/daily-close.js';

export type { SourcedClose } from '../domain/daily-close.js';

/**
 * Daily closes as the sources returned them. Rejects with `LedgerUnavailable` if the store is
 * unavailable.
 */
export abstract class ClosesBook {
  /**
   * Returns closes of all sources, both ends included, ordered by day and then by the source's
   * name.
   */
  abstract closes(fromDay: number, toDay: number): Promise<readonly SourcedClose[]>;
  /** Stores closes; the last answer of a source for a day wins. */
  abstract keep(source: string, closes: readonly DailyClose[]): Promise<void>;
}
