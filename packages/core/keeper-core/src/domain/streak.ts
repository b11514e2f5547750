/** Looks, one soon after the other, that all found the same. All times are of one clock. */
export interface Streak {
  /** Of the first look. */
  readonly since: number;
  /** Of the newest one. */
  readonly last: number;
}

/**
 * The streak with a further look. A time without looks says nothing of what was then: after more
 * than `longestGap` the streak begins again. A look at an older state leaves it as it is.
 */
export function continueStreak(before: Streak | null, at: number, longestGap: number): Streak {
  if (before === null || at - before.last > longestGap) return { since: at, last: at };
  return { since: before.since, last: Math.max(at, before.last) };
}

const LEAST_GAP_MS = 300_000;
const GAP_LOOKS = 10;

/**
 * How far two looks of a streak may be apart, in milliseconds: ten times the wait between looks, so
 * that a slow round or a node that is away for a moment ends none, and five minutes at least.
 */
export function longestGapMs(intervalMs: number): number {
  return Math.max(LEAST_GAP_MS, GAP_LOOKS * intervalMs);
}
