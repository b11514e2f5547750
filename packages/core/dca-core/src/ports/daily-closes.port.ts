import type { DailyClose } from '../domain/daily-close.js';

export type { DailyClose } from '../domain/daily-close.js';

/**
 * One source of daily closes of BTC. Rejects with a `DomainError` if it is unavailable or returns
 * an invalid answer.
 */
export abstract class DailyCloses {
  /** Name of the source in the store; never reuse it for another source. */
  abstract readonly name: string;
  /**
   * Returns closes of UTC days, both ends included, ascending. Omits days that are unknown or have
   * not ended.
   */
  abstract closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]>;
}
