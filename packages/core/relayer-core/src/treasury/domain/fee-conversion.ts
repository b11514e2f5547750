import { u256FromHalves, type Felt, type Felts } from '@sotto/kernel';
import type { CallPurpose, CallTarget } from '@sotto/submission-core';

/**
 * Facts from which the amount of a fee swap is computed. Amounts are in the token's smallest unit.
 */
export interface EarnedFees {
  readonly balance: bigint;
  /** Amount that is never swapped and remains in the treasury's account. */
  readonly reserve: bigint;
  /** Smallest amount above the reserve that is worth a swap. */
  readonly leastSold: bigint;
  /** Maximum amount that one swap sells; at least `leastSold`. */
  readonly mostSold: bigint;
  /** Amount of the previous approval if no swap has used the approval yet; null otherwise. */
  readonly approved: bigint | null;
}

/**
 * Returns the amount to sell now: the balance above the reserve, up to the maximum of one swap.
 * Returns 0 while the excess is below `leastSold`. If an approval exists, its amount is sold first,
 * even if that is less, so that no allowance remains.
 */
export function feesToSell(fees: EarnedFees): bigint {
  const { balance, reserve, leastSold, mostSold, approved } = fees;
  const excess = balance - reserve;
  if (excess < leastSold) return 0n;
  const wanted = excess < mostSold ? excess : mostSold;
  return approved !== null && approved >= leastSold && approved < wanted ? approved : wanted;
}

/**
 * Returns the series of a token's conversions in the ledger: `chain|fees|token`. Each number of the
 * series is an approval or a swap. A swap follows its approval, and is planned at a block that
 * includes the approval.
 */
export function conversionSeries(chainId: Felt, token: Felt): string {
  return `${chainId}|fees|${token}`;
}

export const APPROVE_FEES = 'approve_fees';
export const SWAP_FEES = 'swap_fees';

/** Purpose of an approval. Contains the amount, because the calldata is redacted later. */
export function approvalPurpose(router: Felt, amount: bigint): CallPurpose {
  return { kind: APPROVE_FEES, subject: router, memo: String(amount) };
}

/** Purpose of a swap. Contains the amount, because the calldata is redacted later. */
export function conversionPurpose(token: Felt, amount: bigint): CallPurpose {
  return { kind: SWAP_FEES, subject: token, memo: String(amount) };
}

/** Approval that permits a router to spend this amount of a token. */
export interface FeeApproval {
  readonly router: Felt;
  readonly amount: bigint;
}

/**
 * Reads the approved router and amount from a purpose that {@link approvalPurpose} has created.
 * Returns null for the purpose of any other call.
 */
export function approvalOf({ kind, subject, memo }: CallPurpose): FeeApproval | null {
  return kind === APPROVE_FEES && memo !== null ? { router: subject, amount: BigInt(memo) } : null;
}

/** Token that a call of the treasury approves or swaps, with the purpose of the call. */
export interface ShownConversion {
  readonly token: Felt;
  readonly purpose: CallPurpose;
}

/**
 * Recognizes an approval of a router for one of the tokens, or a router's swap of one of the tokens
 * to STRK. Returns null for other calls.
 */
export function readConversionCall(
  { to, entrypoint }: CallTarget,
  calldata: Felts,
  known: {
    readonly routers: readonly Felt[];
    readonly tokens: readonly Felt[];
    readonly strk: Felt;
  },
): ShownConversion | null {
  if (entrypoint === APPROVE && calldata.length === APPROVE_FELTS && known.tokens.includes(to)) {
    const router = calldata.feltAt(0);
    const amount = u256At(calldata, 1);
    return amount !== null && known.routers.includes(router)
      ? { token: to, purpose: approvalPurpose(router, amount) }
      : null;
  }
  if (entrypoint !== SWAP || calldata.length < LEAST_SWAP_FELTS || !known.routers.includes(to))
    return null;
  const token = calldata.feltAt(0);
  const amount = u256At(calldata, 1);
  if (amount === null || !known.tokens.includes(token) || calldata.feltAt(3) !== known.strk)
    return null;
  return { token, purpose: conversionPurpose(token, amount) };
}

const APPROVE = 'approve';
const APPROVE_FELTS = 3;
const SWAP = 'multi_route_swap';
/**
 * Minimum number of felts in a swap's calldata, so that it contains the bought token (the fourth
 * felt).
 */
const LEAST_SWAP_FELTS = 4;
const HALF = 1n << 128n;

/**
 * Reads a u256 from two felts, the low half first. Returns null if a felt has more than 128 bits.
 */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low < HALF && high < HALF ? u256FromHalves(low, high) : null;
}
