import { u256FromHalves, type Felt, type Felts } from '@sotto/kernel';
import type { CallPurpose, CallTarget } from '@sotto/submission-core';

/** What is known before fees are sold, in the token's smallest unit. */
export interface EarnedFees {
  readonly balance: bigint;
  /** What stays in the account. */
  readonly reserve: bigint;
  /** Less than this is not sold. */
  readonly leastSold: bigint;
  /** The most that one swap sells; at least `leastSold`. */
  readonly mostSold: bigint;
  /** What a router may take by the approval before, which nothing has used; null without one. */
  readonly approved: bigint | null;
}

/**
 * How much is sold now: what lies above the reserve, up to the most of one swap; 0 while that is
 * too little. An approval that stands is used before more than it is sold, so that none is left
 * over.
 */
export function feesToSell(fees: EarnedFees): bigint {
  const { balance, reserve, leastSold, mostSold, approved } = fees;
  const excess = balance - reserve;
  if (excess < leastSold) return 0n;
  const wanted = excess < mostSold ? excess : mostSold;
  return approved !== null && approved >= leastSold && approved < wanted ? approved : wanted;
}

/**
 * The series of a token's conversions in the ledger: `chain|fees|token`. Each number is an approval
 * or a swap: a swap follows its approval, and is planned from a block that holds it.
 */
export function conversionSeries(chainId: Felt, token: Felt): string {
  return `${chainId}|fees|${token}`;
}

export const APPROVE_FEES = 'approve_fees';
export const SWAP_FEES = 'swap_fees';

/** What an approval is about. Its amount stands in the row: calldata is wiped. */
export function approvalPurpose(router: Felt, amount: bigint): CallPurpose {
  return { kind: APPROVE_FEES, subject: router, memo: String(amount) };
}

/** What a swap is about. */
export function conversionPurpose(token: Felt, amount: bigint): CallPurpose {
  return { kind: SWAP_FEES, subject: token, memo: String(amount) };
}

/** What a router may take of a token. */
export interface FeeApproval {
  readonly router: Felt;
  readonly amount: bigint;
}

/** The approval of an {@link approvalPurpose}; null for an attempt of another kind. */
export function approvalOf({ kind, subject, memo }: CallPurpose): FeeApproval | null {
  return kind === APPROVE_FEES && memo !== null ? { router: subject, amount: BigInt(memo) } : null;
}

/** Which token a call of the treasury's converts, and what the call is about. */
export interface ShownConversion {
  readonly token: Felt;
  readonly purpose: CallPurpose;
}

/**
 * An approval of a router for one of the tokens, or a swap of one of them into STRK at a router;
 * null for another call.
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
/** Up to the token that is bought. */
const LEAST_SWAP_FELTS = 4;
const HALF = 1n << 128n;

/** Null when a half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low < HALF && high < HALF ? u256FromHalves(low, high) : null;
}
