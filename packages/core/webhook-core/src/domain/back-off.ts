const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

const FIRST_MS = 5 * SECOND_MS;
const LONGEST_MS = HOUR_MS;

/**
 * How long to wait after so many failures in a row: twice as long each time up to an hour, less a
 * random part of at most a half, so that messages that failed together do not come back together.
 * @param retryAfterMs what the receiver asked for: waited for at least, up to an hour
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
