/** The two history endpoints, whose daily closes may differ. */
export type HistorySource = 'first' | 'second';

/** Daily closes as a wave around a mean: any 200 consecutive days have exactly that mean. */
export interface HistoryShape {
  readonly meanUsd: number;
  /** Maximum distance from the mean. */
  readonly waveUsd: number;
}

/** Close of a day. */
export interface DailyClose {
  /** Start of the UTC day. */
  readonly dayMs: number;
  readonly usd: number;
}

const DAY_MS = 86_400_000;
/** Wave in halves of its amplitude; its length divides 200. */
const WAVE = [0, 1, 2, 1, 0, -1, -2, -1] as const;

/** Closes of one token's past days. Deterministic unless a test sets others. */
export class PriceHistory {
  #shape: HistoryShape;
  /** Closes by source and day; null for a day that the source omits. */
  readonly #set = new Map<string, number | null>();

  constructor(shape: HistoryShape) {
    this.#shape = shape;
  }

  /** Changes the shape. Omitted fields and closes set for single days remain. */
  configure(shape: Partial<HistoryShape>): void {
    this.#shape = { ...this.#shape, ...shape };
  }

  /**
   * Sets the close of a past day; null for a gap.
   * @param daysAgo number of days before today
   * @param source both sources if omitted
   * @throws RangeError if the day has not ended
   */
  setClose(daysAgo: number, usd: number | null, nowMs: number, source?: HistorySource): void {
    if (daysAgo < 1) throw new RangeError('only days that have ended have a close');
    const day = Math.floor(nowMs / DAY_MS) - daysAgo;
    for (const each of source === undefined ? (['first', 'second'] as const) : [source])
      this.#set.set(`${each}:${day}`, usd);
  }

  /** Removes the closes that were set. */
  clear(): void {
    this.#set.clear();
  }

  /** Returns the closes of past days that began in the range, oldest first. */
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
