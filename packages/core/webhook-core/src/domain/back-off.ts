const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

const FIRST_MS = 5 * SECOND_MS;
const LONGEST_MS = HOUR_MS;

/**
 * Returns the wait after this many consecutive failures. The wait doubles each time up to an hour,
 * less a random part of at most a half, so that messages that failed together are not retried
 * together.
 * @param retryAfterMs minimum wait requested by the receiver, at most an hour
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
