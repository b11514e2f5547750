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
  /** Stores closes. If the source already has a close for a day, the new close replaces it. */
  abstract keep(source: string, closes: readonly DailyClose[]): Promise<void>;
}
