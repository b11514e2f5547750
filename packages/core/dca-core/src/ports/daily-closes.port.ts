import type { DailyClose } from '../domain/daily-close.js';

export type { DailyClose } from '../domain/daily-close.js';

/**
 * One source of daily closes of BTC. Rejects with a `DomainError` when it can't be reached or
 * answers nonsense.
 */
export abstract class DailyCloses {
  /** Names the source in the store: never given to another one. */
  abstract readonly name: string;
  /**
   * Closes of UTC days, both ends included, ascending. Leaves out days that it does not know or
   * that have not ended.
   */
  abstract closes(fromDay: number, toDay: number): Promise<readonly DailyClose[]>;
}
