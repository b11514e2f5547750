/** The two paths that serve closes of days, which may differ. */
export type HistorySource = 'first' | 'second';

/** Daily closes as a wave around a mean: any 200 days on end have exactly that mean. */
export interface HistoryShape {
  readonly meanUsd: number;
  /** Largest distance from the mean. */
  readonly waveUsd: number;
}

/** A day's close. */
export interface DailyClose {
  /** Start of the UTC day. */
  readonly dayMs: number;
  readonly usd: number;
}

const DAY_MS = 86_400_000;
/** In halves of the wave; 200 is a multiple of their number. */
const WAVE = [0, 1, 2, 1, 0, -1, -2, -1] as const;

/** Closes of one token's past days: the same on every run, until a test sets others. */
export class PriceHistory {
  #shape: HistoryShape;
  /** By source and day; null for a day that the source leaves out. */
  readonly #set = new Map<string, number | null>();

  constructor(shape: HistoryShape) {
    this.#shape = shape;
  }

  /** What is left out stays, as do single days that were set. */
  configure(shape: Partial<HistoryShape>): void {
    this.#shape = { ...this.#shape, ...shape };
  }

  /**
   * Sets the close of one day, so many days before today; null for a gap.
   * @param source both when left out
   * @throws RangeError for a day that has not ended
   */
  setClose(daysAgo: number, usd: number | null, nowMs: number, source?: HistorySource): void {
    if (daysAgo < 1) throw new RangeError('only days that have ended have a close');
    const day = Math.floor(nowMs / DAY_MS) - daysAgo;
    for (const each of source === undefined ? (['first', 'second'] as const) : [source])
      this.#set.set(`${each}:${day}`, usd);
  }

  /** Forgets the closes that were set. */
  clear(): void {
    this.#set.clear();
  }

  /** Closes of the days that began in the range and have ended, oldest first. */
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
