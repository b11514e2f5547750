import { UNLEVERAGED_BPS } from './plan.js';
import type { LeveragePosition } from './position.js';

/**
 * Since when the borrow rate has been above the supply rate, in Unix seconds; null while it is not.
 */
export function againstSince(
  before: number | null,
  { borrowRateE18, supplyRateE18 }: LeveragePosition,
  timestamp: number,
): number | null {
  return borrowRateE18 > supplyRateE18 ? (before ?? timestamp) : null;
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
  since: number | null,
  timestamp: number,
  rateAgainstSeconds: number | null,
): LeverageAim {
  if (rateAgainstSeconds === null || since === null) return { targetBps, mayBorrow: true };
  const isLong = timestamp - since >= rateAgainstSeconds;
  return { targetBps: isLong ? UNLEVERAGED_BPS : targetBps, mayBorrow: false };
}
