const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

const FIRST_MS = 5 * SECOND_MS;
const LONGEST_MS = HOUR_MS;

/**
 * Returns the wait after this many consecutive failures, in ms. The wait doubles each time up to an
 * hour. A random fraction of at most a half is subtracted, so that messages that failed at the same
 * time are retried at different times.
 * @param retryAfterMs minimum wait that the receiver requested, at most an hour
 */
export function backOffMs(
  failures: number,
  random: () => number,
  retryAfterMs: number | null = null,
): number {
  const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  const ownMs = Math.round(fullMs * (1 - random() / 2));
  return Math.min(LONGEST_MS, Math.max(ownMs, retryAfterMs ?? 0));
}
