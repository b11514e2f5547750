import type { Clock } from '@sotto/kernel';

/**
 * Tolerated lead of a head over the store's clock, in ms: sequencers and stores have different
 * clocks.
 */
const MAX_AHEAD_MS = 15_000;

/**
 * Returns the lead of a head over the store's clock in ms, if it is so large that one of them must
 * be wrong; otherwise null.
 * @param timestamp of the head, in seconds
 * @param nowMs the store's clock
 */
export function wrongAheadMs(timestamp: number, nowMs: number): number | null {
  const aheadMs = timestamp * 1_000 - nowMs;
  return aheadMs <= MAX_AHEAD_MS ? null : aheadMs;
}

/**
 * True if the head's time and the store's clock cannot both be right: the head is in the future, or
 * older than the whole period of interest.
 * @param backMs length of that period until now
 */
export function isWrongTime(timestamp: number, nowMs: number, backMs: number): boolean {
  return wrongAheadMs(timestamp, nowMs) !== null || timestamp * 1_000 < nowMs - backMs;
}

/** Greatest age of the newest block at which a clock agrees with it, in ms. */
const MAX_BEHIND_MS = 60_000;
/**
 * Required duration of the agreement, in ms. A node that catches up passes a wrong clock without
 * agreeing with it for this long.
 */
const AGREED_FOR_MS = 60_000;

/**
 * Agreement of the machine's clock with the newest block, for a ledger without a separate clock:
 * its times are ahead once the machine's clock was. A block counts as young only if the clock is
 * right and the node is current.
 */
export class ClockAgreement {
  #since: { readonly nowMs: number; readonly monotonicMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {}

  /**
   * Records the time of the newest block.
   * @param timestamps of all nodes' heads, in seconds
   */
  note(timestamps: readonly number[]): void {
    const nowMs = this.clock.nowMs();
    const behindMs = nowMs - Math.max(...timestamps) * 1_000;
    const agrees = behindMs <= MAX_BEHIND_MS && behindMs >= -MAX_AHEAD_MS;
    this.#since = agrees ? (this.#since ?? { nowMs, monotonicMs: this.clock.monotonicMs() }) : null;
  }

  /** True if clock and blocks have agreed for a minute, and the block was made in that time. */
  isYoung(timestamp: number): boolean {
    if (this.#since === null) return false;
    const agreedMs = this.clock.monotonicMs() - this.#since.monotonicMs;
    // The clock may have been set back within this time.
    const beganMs = Math.max(this.#since.nowMs, this.clock.nowMs() - agreedMs);
    return agreedMs >= AGREED_FOR_MS && timestamp * 1_000 > beganMs;
  }
}
