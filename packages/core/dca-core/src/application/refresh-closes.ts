import { DomainError, type Clock } from '@sotto/kernel';
import { dayOf } from '../domain/daily-close.js';
import { daysBefore, judgeCloses } from '../domain/mayer-multiple.js';
import type { ClosesBook } from '../ports/closes-book.port.js';
import type { DailyCloses } from '../ports/daily-closes.port.js';

export interface RefreshClosesPolicy {
  /**
   * How long after midnight (UTC) the last day's close is asked for: sources take some time. Unit:
   * milliseconds; 900,000 (15 minutes) serves.
   */
  readonly settleMs: number;
  /**
   * From one question to a source until the next one, while it lacks days or others dispute them.
   * Unit: milliseconds; 3,600,000 (an hour) serves.
   */
  readonly askAgainMs: number;
}

/** What came of asking one source. */
export interface RefreshedSource {
  readonly source: string;
  readonly kept: number;
  /** Why it gave nothing; null when it answered. */
  readonly failure: DomainError | null;
}

const MS_PER_SECOND = 1_000;

/**
 * Asks each source for the daily closes that the store does not have yet, of the 200 days before
 * this one, and again for those that the sources do not agree about: one of them may have been
 * corrected. What a source says is kept as its own, and a close that is agreed on is never
 * replaced.
 */
export class RefreshCloses {
  readonly #askedAtMs = new Map<string, number>();

  constructor(
    private readonly sources: readonly DailyCloses[],
    private readonly book: ClosesBook,
    private readonly clock: Clock,
    private readonly policy: RefreshClosesPolicy,
  ) {}

  /**
   * Asks those that have such days and were not asked lately; a source's failure is its own.
   * Rejects with `LedgerUnavailable` when the store can't answer.
   */
  async round(): Promise<readonly RefreshedSource[]> {
    const nowMs = this.clock.nowMs();
    const today = dayOf((nowMs - this.policy.settleMs) / MS_PER_SECOND);
    const { from, to } = daysBefore(today);
    const known = await this.book.closes(from, to);
    const names = this.sources.map(({ name }) => name);
    const disputed = new Set(judgeCloses(known, names, today).disputed);
    const results: RefreshedSource[] = [];
    for (const source of this.sources) {
      const days = new Set(
        known.filter((close) => close.source === source.name).map(({ day }) => day),
      );
      const missing = range(from, to).filter((day) => !days.has(day) || disputed.has(day));
      const [first, last] = [missing.at(0), missing.at(-1)];
      if (first === undefined || last === undefined || !this.#mayAsk(source.name, nowMs)) continue;
      this.#askedAtMs.set(source.name, nowMs);
      results.push(await this.#ask(source, first, last, new Set(missing)));
    }
    return results;
  }

  #mayAsk(name: string, nowMs: number): boolean {
    const askedAtMs = this.#askedAtMs.get(name);
    // A clock that was set back must not silence a source.
    return askedAtMs === undefined || Math.abs(nowMs - askedAtMs) >= this.policy.askAgainMs;
  }

  async #ask(
    source: DailyCloses,
    first: number,
    last: number,
    missing: ReadonlySet<number>,
  ): Promise<RefreshedSource> {
    const answer = await answerOf(source, first, last);
    if (answer instanceof DomainError) return { source: source.name, kept: 0, failure: answer };
    // A source is not trusted to answer only what it was asked for.
    const closes = answer.filter(({ day, usdE8 }) => missing.has(day) && usdE8 > 0n);
    await this.book.keep(source.name, closes);
    return { source: source.name, kept: closes.length, failure: null };
  }
}

async function answerOf(source: DailyCloses, first: number, last: number) {
  try {
    return await source.closes(first, last);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
