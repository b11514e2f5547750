import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Minimum and target balance of a lane account, in fri. */
export interface FundingLevels {
  /** Balance in fri below which the account is topped up. */
  readonly floorFri: bigint;
  /** Balance in fri up to which a top-up fills the account; at least the floor. */
  readonly ceilingFri: bigint;
}

/** Facts from which a top-up is computed. Amounts are in fri. */
export interface LaneFunds {
  readonly levels: FundingLevels;
  readonly balanceFri: bigint;
  readonly treasuryFri: bigint;
  /** Amount that remains in the treasury for its own transactions. */
  readonly reserveFri: bigint;
  /** Amount of all top-ups in flight. The treasury's balance may still include this amount. */
  readonly onItsWayFri: bigint;
  /** Amount paid to lanes within the last day, including top-ups in flight. */
  readonly paidFri: bigint;
  /** Maximum amount that all lanes together receive per day. */
  readonly maxPerDayFri: bigint;
}

export type TopUpDecision =
  | { readonly due: true; readonly amountFri: bigint }
  | { readonly due: false; readonly reason: 'ABOVE_FLOOR' | 'TREASURY_EMPTY' | 'DAILY_LIMIT' };

/**
 * Decides on the amount of a top-up. A top-up fills the lane up to the ceiling, or less if the
 * treasury's balance or the daily maximum does not allow this. A top-up that would not reach the
 * floor is not sent, because its gas would cost too much for such a small amount.
 */
export function topUp(funds: LaneFunds): TopUpDecision {
  const { levels, balanceFri, treasuryFri, reserveFri, onItsWayFri, paidFri, maxPerDayFri } = funds;
  const missing = levels.floorFri - balanceFri;
  if (missing <= 0n) return { due: false, reason: 'ABOVE_FLOOR' };
  const available = treasuryFri - reserveFri - onItsWayFri;
  if (available < missing) return { due: false, reason: 'TREASURY_EMPTY' };
  const leftOfDay = maxPerDayFri - paidFri;
  if (leftOfDay < missing) return { due: false, reason: 'DAILY_LIMIT' };
  const wanted = levels.ceilingFri - balanceFri;
  const amountFri = [available, leftOfDay].reduce(
    (least, each) => (each < least ? each : least),
    wanted,
  );
  return { due: true, amountFri };
}

/** Returns the series of a lane's top-ups in the ledger: `chain|topup|lane`. */
export function topUpSeries(chainId: Felt, lane: Felt): string {
  return `${chainId}|topup|${lane}`;
}

export const TOP_UP = 'top_up';

/** Purpose of a top-up. Contains the amount, because the calldata is redacted later. */
export function topUpPurpose(lane: Felt, amountFri: bigint): CallPurpose {
  return { kind: TOP_UP, subject: lane, memo: String(amountFri) };
}
