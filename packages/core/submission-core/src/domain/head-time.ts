import type { Clock } from '@sotto/kernel';

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

/** Oldest that the newest block may be for a clock to agree with it. */
const MAX_BEHIND_MS = 60_000;
/** A node that catches up passes a wrong clock, and does not stay with it for so long. */
const AGREED_FOR_MS = 60_000;

/**
 * Agreement of the machine's clock with the newest block, for a ledger that has no clock of its
 * own: its times are ahead after the machine's clock was. Neither a clock that is wrong nor a node
 * that lags is enough to show a block as young.
 */
export class ClockAgreement {
  #since: { readonly nowMs: number; readonly monotonicMs: number } | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {}

  /** @param timestamps of all nodes' heads, in seconds */
  note(timestamps: readonly number[]): void {
    const nowMs = this.clock.nowMs();
    const behindMs = nowMs - Math.max(...timestamps) * 1_000;
    const agrees = behindMs <= MAX_BEHIND_MS && behindMs >= -MAX_AHEAD_MS;
    this.#since = agrees ? (this.#since ?? { nowMs, monotonicMs: this.clock.monotonicMs() }) : null;
  }

  /** True if both have agreed for a minute, and the block was made in that time. */
  isYoung(timestamp: number): boolean {
    if (this.#since === null) return false;
    const agreedMs = this.clock.monotonicMs() - this.#since.monotonicMs;
    // The clock may have been set back within this time.
    const beganMs = Math.max(this.#since.nowMs, this.clock.nowMs() - agreedMs);
    return agreedMs >= AGREED_FOR_MS && timestamp * 1_000 > beganMs;
  }
}
