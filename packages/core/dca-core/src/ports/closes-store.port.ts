import type { DailyClose, SourcedClose } from '../domain/daily-close.js';

export type { SourcedClose } from '../domain/daily-close.js';

/**
 * Stores daily closes as the sources returned them. Methods reject with `LedgerUnavailable` if the
 * store is unavailable.
 */
export abstract class ClosesStore {
  /**
   * Returns closes of all sources from `fromDay` to `toDay`, both included, ordered by day and then
   * by the source's name.
   */
  abstract closes(fromDay: number, toDay: number): Promise<readonly SourcedClose[]>;
  /** Stores closes. A later close of the same source for the same day replaces the earlier one. */
  abstract keep(source: string, closes: readonly DailyClose[]): Promise<void>;
}
