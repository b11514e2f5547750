import type { DailyClose } from '../domain/daily-close.js';

export type { DailyClose } from '../domain/daily-close.js';

/**
 * One source of daily closes of BTC. Methods reject with a `DomainError` if the source is
 * unavailable or returns an invalid response.
 */
export abstract class DailyCloses {
  /** Name of the source in the store. Never reuse the name for another source. */
  abstract readonly name: string;
  /**
   * Returns closes of UTC days from `fromDay` to `toDay`, both included, in ascending order. Days
   * that are unknown or have not ended are omitted.
   */
  abstract closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]>;
}
