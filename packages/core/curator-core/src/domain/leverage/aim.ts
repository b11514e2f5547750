import { continueStreak, type Streak } from '@sotto/keeper-core';
import { UNLEVERAGED_BPS } from './plan.js';
import type { LeveragePosition } from './position.js';

/**
 * Adds a check to the streak of consecutive checks that found the borrow rate above the supply
 * rate. The streak's times are Unix seconds of block time. Returns null if the borrow rate is not
 * above the supply rate. A gap between checks restarts the streak.
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
  /** Target leverage: collateral divided by equity, in hundredths of a percent. */
  readonly targetBps: number;
  /** False if the next rounds must not borrow. */
  readonly mayBorrow: boolean;
}

/**
 * Returns the operator's target, or 1× if the borrow rate has been above the supply rate for at
 * least `rateAgainstSeconds`. Before this time has passed, the operator's target still applies but
 * rounds must not borrow.
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
