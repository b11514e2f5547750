/** Series of checks with the same result and without a gap. All times are from the same clock. */
export interface Streak {
  /** Time of the first check in the series. */
  readonly since: number;
  /** Time of the last check in the series. */
  readonly last: number;
}

/**
 * Returns the streak extended by a check. A gap of more than `longestGap` restarts the streak,
 * because the state during the gap is unknown. If the check's time is before the last check of the
 * streak, the streak does not change.
 */
export function continueStreak(before: Streak | null, at: number, longestGap: number): Streak {
  if (before === null || at - before.last > longestGap) return { since: at, last: at };
  return { since: before.since, last: Math.max(at, before.last) };
}

const LEAST_GAP_MS = 300_000;
const GAP_POLLS = 10;

/**
 * Returns the maximum gap between two checks of a streak, in milliseconds. The gap is ten times the
 * interval, but at least five minutes, so that a slow round or a short outage of the node does not
 * end a streak.
 */
export function longestGapMs(intervalMs: number): number {
  return Math.max(LEAST_GAP_MS, GAP_POLLS * intervalMs);
}
