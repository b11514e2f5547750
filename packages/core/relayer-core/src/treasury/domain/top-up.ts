import type { Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';

/** Balances between which an account is kept, in fri. */
export interface FundingLevels {
  /** Balance below which it is topped up. */
  readonly floorFri: bigint;
  /** Target balance of a top-up; at least the floor. */
  readonly ceilingFri: bigint;
}

/** Facts that decide on a top-up, in fri. */
export interface LaneFunds {
  readonly levels: FundingLevels;
  readonly balanceFri: bigint;
  readonly treasuryFri: bigint;
  /** Amount that the treasury keeps to pay for its transactions. */
  readonly reserveFri: bigint;
  /** Amount in flight to lanes. The treasury's balance may still include it. */
  readonly onItsWayFri: bigint;
  /** Amount paid within the last day, including payments in flight. */
  readonly paidFri: bigint;
  /** Maximum amount for all lanes together per day. */
  readonly maxPerDayFri: bigint;
}

export type TopUpDecision =
  | { readonly due: true; readonly amountFri: bigint }
  | { readonly due: false; readonly reason: 'ABOVE_FLOOR' | 'TREASURY_EMPTY' | 'DAILY_LIMIT' };

/**
 * Decides on the amount of a top-up: up to the ceiling, or less if the treasury or the daily
 * maximum allows no more. Amounts that do not reach the floor are not sent: small remainders would
 * be consumed by gas.
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

/** Purpose of a top-up. Contains the amount, because calldata is redacted later. */
export function topUpPurpose(lane: Felt, amountFri: bigint): CallPurpose {
  return { kind: TOP_UP, subject: lane, memo: String(amountFri) };
}
