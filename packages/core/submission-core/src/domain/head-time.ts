/** A head may be this far ahead of the store's clock: sequencers and stores are not one clock. */
const MAX_AHEAD_MS = 15_000;

/**
 * Milliseconds by which a head is ahead of the store's clock, where that is too much for both to be
 * right; else null.
 * @param timestamp of the head, in seconds
 * @param nowMs the store's clock
 */
export function wrongAheadMs(timestamp: number, nowMs: number): number | null {
  const aheadMs = timestamp * 1_000 - nowMs;
  return aheadMs <= MAX_AHEAD_MS ? null : aheadMs;
}

/**
 * A head's time and the store's clock can not both be right: the head is in the future, or so old
 * that nothing of the time in question is below it.
 * @param backMs the time in question, back from now
 */
export function isWrongTime(timestamp: number, nowMs: number, backMs: number): boolean {
  return wrongAheadMs(timestamp, nowMs) !== null || timestamp * 1_000 < nowMs - backMs;
}
