import type { Clock } from '@sotto/kernel';

/**
 * Maximum time by which a head may be ahead of the store's clock, in ms. The clocks of sequencers
 * and stores differ.
 */
const MAX_AHEAD_MS = 15_000;

/**
 * Returns the time by which a head is ahead of the store's clock, in ms. Null if this time is so
 * short that head and clock may both be right.
 * @param timestamp time of the head, in seconds
 * @param nowMs time of the store, in ms
 */
export function wrongAheadMs(timestamp: number, nowMs: number): number | null {
  const aheadMs = timestamp * 1_000 - nowMs;
  return aheadMs <= MAX_AHEAD_MS ? null : aheadMs;
}

/**
 * True if the head's time or the store's clock must be wrong: the head is in the future, or older
 * than `backMs`.
 * @param backMs maximum age of a plausible head, in ms
 */
export function isWrongTime(timestamp: number, nowMs: number, backMs: number): boolean {
  return wrongAheadMs(timestamp, nowMs) !== null || timestamp * 1_000 < nowMs - backMs;
}

/**
 * Maximum age of the newest block at which the machine's clock and the block are considered to
 * agree, in ms.
 */
const MAX_BEHIND_MS = 60_000;
/**
 * Minimum duration of the agreement between clock and blocks, in ms. If the clock is wrong, the
 * blocks of a node that catches up agree with the clock only for a shorter time.
 */
const AGREED_FOR_MS = 60_000;

/**
 * Checks whether the machine's clock agrees with the newest block, for a ledger without its own
 * clock. If the machine's clock was too far ahead once, the times of such a ledger remain too high.
 * A block is considered young only if the machine's clock is right and the node is current.
 */
export class ClockAgreement {
  #since: { readonly nowMs: number; readonly monotonicMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {}

  /**
   * Records the time of the newest block.
   * @param timestamps times of all nodes' heads, in seconds
   */
  note(timestamps: readonly number[]): void {
    const nowMs = this.clock.nowMs();
    const behindMs = nowMs - Math.max(...timestamps) * 1_000;
    const agrees = behindMs <= MAX_BEHIND_MS && behindMs >= -MAX_AHEAD_MS;
    this.#since = agrees ? (this.#since ?? { nowMs, monotonicMs: this.clock.monotonicMs() }) : null;
  }

  /**
   * True if the clock and the blocks have agreed for at least a minute, and the block was made in
   * that time.
   */
  isYoung(timestamp: number): boolean {
    if (this.#since === null) return false;
    const agreedMs = this.clock.monotonicMs() - this.#since.monotonicMs;
    // The machine's clock may have been set back after the agreement began.
    const beganMs = Math.max(this.#since.nowMs, this.clock.nowMs() - agreedMs);
    return agreedMs >= AGREED_FOR_MS && timestamp * 1_000 > beganMs;
  }
}
