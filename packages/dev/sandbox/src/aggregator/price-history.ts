/**
 * Selects the first or the second history endpoint. The two endpoints may return different closing
 * prices for a day.
 */
export type HistorySource = 'first' | 'second';

/**
 * Curve of daily closing prices: a wave around a mean. Any 200 consecutive days have exactly this
 * mean.
 */
export interface HistoryShape {
  readonly meanUsd: number;
  /** Amplitude: the maximum difference between a closing price and the mean, in USD. */
  readonly waveUsd: number;
}

/** Closing price of one day. */
export interface DailyClose {
  /** Start of the UTC day, in milliseconds since the Unix epoch. */
  readonly dayMs: number;
  readonly usd: number;
}

const DAY_MS = 86_400_000;
/**
 * Closing prices of one period as differences from the mean, in halves of the amplitude. The period
 * divides 200, so that the mean of 200 days is exact.
 */
const WAVE = [0, 1, 2, 1, 0, -1, -2, -1] as const;

/**
 * Daily closing prices of one token. Each closing price follows the curve unless a test sets a
 * different value.
 */
export class PriceHistory {
  #shape: HistoryShape;
  /**
   * Closing prices that a test has set, by source and day. Null removes the day from the source.
   */
  readonly #set = new Map<string, number | null>();

  constructor(shape: HistoryShape) {
    this.#shape = shape;
  }

  /**
   * Changes the curve. Omitted fields do not change. Closing prices that were set for single days
   * do not change either.
   */
  configure(shape: Partial<HistoryShape>): void {
    this.#shape = { ...this.#shape, ...shape };
  }

  /**
   * Sets the closing price of a past day. Null removes this day from the history.
   * @param daysAgo number of days before today
   * @param source history that changes; if omitted, both histories change
   * @throws RangeError if the day has not ended
   */
  setClose(daysAgo: number, usd: number | null, nowMs: number, source?: HistorySource): void {
    if (daysAgo < 1) throw new RangeError('only days that have ended have a close');
    const day = Math.floor(nowMs / DAY_MS) - daysAgo;
    for (const each of source === undefined ? (['first', 'second'] as const) : [source])
      this.#set.set(`${each}:${day}`, usd);
  }

  /** Removes all closing prices that {@link setClose} has set. */
  clear(): void {
    this.#set.clear();
  }

  /**
   * Returns the closing prices of past days that began between `fromMs` and `toMs`, oldest first.
   */
  closes(source: HistorySource, fromMs: number, toMs: number, nowMs: number): DailyClose[] {
    const first = Math.max(0, Math.ceil(fromMs / DAY_MS));
    const last = Math.min(Math.floor(toMs / DAY_MS), Math.floor(nowMs / DAY_MS) - 1);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
      .map((day) => ({ dayMs: day * DAY_MS, usd: this.#close(source, day) }))
      .filter((close): close is DailyClose => close.usd !== null);
  }

  #close(source: HistorySource, day: number): number | null {
    const set = this.#set.get(`${source}:${day}`);
    if (set !== undefined) return set;
    const { meanUsd, waveUsd } = this.#shape;
    return meanUsd + ((WAVE[day % WAVE.length] ?? 0) * waveUsd) / 2;
  }
}
