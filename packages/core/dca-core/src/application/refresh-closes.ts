import { DomainError, type Clock } from '@sotto/kernel';
import { dayOf } from '../domain/daily-close.js';
import { daysBefore, judgeCloses } from '../domain/mayer-multiple.js';
import type { ClosesStore } from '../ports/closes-store.port.js';
import type { DailyCloses } from '../ports/daily-closes.port.js';

export interface RefreshClosesPolicy {
  /**
   * Delay after midnight (UTC) before the last day's close is requested, in milliseconds. Sources
   * need some time to publish a close. Suggested value: 900,000 (15 minutes).
   */
  readonly settleMs: number;
  /**
   * Pause between two requests to a source whose closes are missing or disputed for some days, in
   * milliseconds. Suggested value: 3,600,000 (an hour).
   */
  readonly queryAgainMs: number;
}

/** Result of a request to one source. */
export interface RefreshedSource {
  readonly source: string;
  readonly kept: number;
  /** Error of the request; null if it succeeded. */
  readonly failure: DomainError | null;
}

const MS_PER_SECOND = 1_000;

/**
 * Requests missing daily closes of the last 200 days from each source. Days with disputed closes
 * are requested again, because a source may have corrected its close. Each source's closes are
 * stored separately, and a close on which the sources agree is never replaced.
 */
export class RefreshCloses {
  readonly #requestedAtMs = new Map<string, number>();

  constructor(
    private readonly sources: readonly DailyCloses[],
    private readonly store: ClosesStore,
    private readonly clock: Clock,
    private readonly policy: RefreshClosesPolicy,
  ) {}

  /**
   * Requests the missing or disputed days from each source that was not queried recently. A failure
   * of one source does not affect the others. Rejects with `LedgerUnavailable` if the store is
   * unavailable.
   */
  async round(): Promise<readonly RefreshedSource[]> {
    const nowMs = this.clock.nowMs();
    const today = dayOf((nowMs - this.policy.settleMs) / MS_PER_SECOND);
    const { from, to } = daysBefore(today);
    const known = await this.store.closes(from, to);
    const names = this.sources.map(({ name }) => name);
    const disputed = new Set(judgeCloses(known, names, today).disputed);
    const results: RefreshedSource[] = [];
    for (const source of this.sources) {
      const days = new Set(
        known.filter((close) => close.source === source.name).map(({ day }) => day),
      );
      const missing = range(from, to).filter((day) => !days.has(day) || disputed.has(day));
      const [first, last] = [missing.at(0), missing.at(-1)];
      if (first === undefined || last === undefined || !this.#mayQuery(source.name, nowMs))
        continue;
      this.#requestedAtMs.set(source.name, nowMs);
      results.push(await this.#query(source, first, last, new Set(missing)));
    }
    return results;
  }

  #mayQuery(name: string, nowMs: number): boolean {
    const requestedAtMs = this.#requestedAtMs.get(name);
    // Use the absolute difference, so that a clock that was set back does not stop the requests to
    // a source.
    return (
      requestedAtMs === undefined || Math.abs(nowMs - requestedAtMs) >= this.policy.queryAgainMs
    );
  }

  async #query(
    source: DailyCloses,
    first: number,
    last: number,
    missing: ReadonlySet<number>,
  ): Promise<RefreshedSource> {
    const answer = await answerOf(source, first, last);
    if (answer instanceof DomainError) return { source: source.name, kept: 0, failure: answer };
    // Store only the requested days, because a source might also return days that were not
    // requested.
    const closes = answer.filter(({ day, usdE8 }) => missing.has(day) && usdE8 > 0n);
    await this.store.keep(source.name, closes);
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
