import { kindOf, type MoneyEntry } from '../../circuit-breaker/domain/money.js';

/** Recent success rate and durations, too coarse to reveal a single user. */
export interface ServiceFigures {
  /**
   * Percentage of ended withdrawals and swaps that succeeded, rounded down to a multiple of 5 %.
   * Null if fewer submissions ended than the smallest sample.
   */
  readonly successPercent: number | null;
  /**
   * Median time from acceptance to ACCEPTED_ON_L2, in seconds, rounded up to a multiple of 5 s.
   * Null if fewer submissions succeeded than the smallest sample.
   */
  readonly p50Seconds: number | null;
  readonly p95Seconds: number | null;
}

/**
 * Minimum number of submissions from which a published percentage or duration is computed. A value
 * from fewer submissions would reveal too much about each of them.
 */
const SMALLEST_SAMPLE = 20;
const PERCENT_STEP = 5;
const SECONDS_STEP = 5;

export function serviceFigures(entries: readonly MoneyEntry[]): ServiceFigures {
  const ended = entries.filter((entry) => kindOf(entry) === 'relay');
  const succeeded = ended.filter(({ state }) => state === 'succeeded');
  const times = succeeded
    .map(({ acceptedAtMs, endedAtMs }) => endedAtMs - acceptedAtMs)
    .toSorted((a, b) => a - b);
  const enough = succeeded.length >= SMALLEST_SAMPLE;
  return {
    successPercent:
      ended.length < SMALLEST_SAMPLE
        ? null
        : Math.floor(((succeeded.length / ended.length) * 100) / PERCENT_STEP) * PERCENT_STEP,
    p50Seconds: enough ? coarse(percentile(times, 0.5)) : null,
    p95Seconds: enough ? coarse(percentile(times, 0.95)) : null,
  };
}

/** Returns the percentile of sorted values by the nearest-rank method; 0 for no values. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const coarse = (ms: number): number => Math.ceil(ms / 1_000 / SECONDS_STEP) * SECONDS_STEP;
