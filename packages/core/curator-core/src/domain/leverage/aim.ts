import { continueStreak, type Streak } from '@sotto/keeper-core';
import { UNLEVERAGED_BPS } from './plan.js';
import type { LeveragePosition } from './position.js';

/**
 * The looks that have found the borrow rate above the supply rate, in Unix seconds of the chain;
 * null while it is not. A time without looks counts as none of it.
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

/** Where a position is led. */
export interface LeverageAim {
  /** Collateral over equity in hundredths of a percent. */
  readonly targetBps: number;
  /** False while nothing more may be borrowed. */
  readonly mayBorrow: boolean;
}

/**
 * The operator's target, or none of it once the borrow rate has been above the supply rate for so
 * long; in between nothing more is borrowed.
 * @param rateAgainstSeconds null where rates are no guard
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
