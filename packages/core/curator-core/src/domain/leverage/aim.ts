import { continueStreak, type Streak } from '@sotto/keeper-core';
import { UNLEVERAGED_BPS } from './plan.js';
import type { LeveragePosition } from './position.js';

/**
 * Extends the streak of checks that found the borrow rate above the supply rate. The streak's times
 * are Unix seconds of block time. Returns null if the borrow rate is not above the supply rate. A
 * gap between checks restarts the streak.
 */
export function ratesAgainst(
  before: Streak | null,
  { borrowRateE18, supplyRateE18 }: LeveragePosition,
  timestamp: number,
  longestGapSeconds: number,
): Streak | null {
  return borrowRateE18 > supplyRateE18
    ? continueStreak(before, timestamp, longestGapSeconds)
    : null;
}

/** Leverage that the next rounds should reach. */
export interface LeverageAim {
  /** Collateral divided by equity, in hundredths of a percent. */
  readonly targetBps: number;
  /** False while rounds must not borrow. */
  readonly mayBorrow: boolean;
}

/**
 * Returns the operator's target, or 1× once the borrow rate has been above the supply rate for
 * `rateAgainstSeconds`. Before this time has passed, the target stays but rounds must not borrow.
 * @param rateAgainstSeconds null if rates are not checked
 */
export function leverageAim(
  targetBps: number,
  against: Streak | null,
  rateAgainstSeconds: number | null,
): LeverageAim {
  if (rateAgainstSeconds === null || against === null) return { targetBps, mayBorrow: true };
  const isLong = against.last - against.since >= rateAgainstSeconds;
  return { targetBps: isLong ? UNLEVERAGED_BPS : targetBps, mayBorrow: false };
}
