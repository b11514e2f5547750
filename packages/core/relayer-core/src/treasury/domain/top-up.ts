import { Felts, feltToBigInt, u256FromHalves, u256ToHalves, type Felt } from '@sotto/kernel';
import type { CallPurpose, CallTarget } from '@sotto/submission-core';

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

/** The transfer that brings the amount. */
export function topUpCall(strk: Felt, lane: Felt, amountFri: bigint) {
  return {
    target: { to: strk, entrypoint: TRANSFER } satisfies CallTarget,
    calldata: Felts.of([feltToBigInt(lane), ...u256ToHalves(amountFri)]),
  };
}

/** Lane and amount of a {@link topUpCall}; null for another call. */
export function readTopUpCall(
  strk: Felt,
  { to, entrypoint }: CallTarget,
  calldata: Felts,
): { readonly lane: Felt; readonly amountFri: bigint } | null {
  if (to !== strk || entrypoint !== TRANSFER || calldata.length !== TRANSFER_FELTS) return null;
  const [low, high] = [calldata.at(1), calldata.at(2)];
  if (low >= HALF || high >= HALF) return null;
  return { lane: calldata.feltAt(0), amountFri: u256FromHalves(low, high) };
}

const TRANSFER = 'transfer';
const TRANSFER_FELTS = 3;
const HALF = 1n << 128n;
