import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Between which balances an account is kept, in fri. */
export interface FundingLevels {
  /** Below this it is topped up. */
  readonly floorFri: bigint;
  /** Up to this; at least the floor. */
  readonly ceilingFri: bigint;
}

/** What a top-up is decided on, in fri. */
export interface LaneFunds {
  readonly levels: FundingLevels;
  readonly balanceFri: bigint;
  readonly treasuryFri: bigint;
  /** What the treasury keeps for the gas of its own transactions. */
  readonly reserveFri: bigint;
  /** On its way to lanes: it may be in the treasury's balance still. */
  readonly onItsWayFri: bigint;
  /** Of the last day, with what is on its way. */
  readonly paidFri: bigint;
  /** The most that all lanes together get in a day. */
  readonly maxPerDayFri: bigint;
}

export type TopUpDecision =
  | { readonly due: true; readonly amountFri: bigint }
  | { readonly due: false; readonly reason: 'ABOVE_FLOOR' | 'TREASURY_EMPTY' | 'DAILY_LIMIT' };

/**
 * What the lane gets: up to its ceiling, or as much as treasury and day allow. Less than brings it
 * to its floor is not sent: the day's remainder, and the treasury's, would trickle away in gas.
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

/** The series of a lane's top-ups in the ledger: `chain|topup|lane`. */
export function topUpSeries(chainId: Felt, lane: Felt): string {
  return `${chainId}|topup|${lane}`;
}

export const TOP_UP = 'top_up';

/** What a top-up is about. Its amount stands in the row: calldata is wiped. */
export function topUpPurpose(lane: Felt, amountFri: bigint): CallPurpose {
  return { kind: TOP_UP, subject: lane, memo: String(amountFri) };
}
