import { u256FromHalves, type Felt, type Felts } from '@sotto/kernel';
import type { CallPurpose, CallTarget } from '@sotto/submission-core';

/** Facts that decide how much is sold, in the token's smallest unit. */
export interface EarnedFees {
  readonly balance: bigint;
  /** Amount to keep in the account. */
  readonly reserve: bigint;
  /** Smallest amount that is sold. */
  readonly leastSold: bigint;
  /** Maximum amount of one swap; at least `leastSold`. */
  readonly mostSold: bigint;
  /** Amount of the previous approval, which is still unused; null if there is none. */
  readonly approved: bigint | null;
}

/**
 * Returns the amount to sell now: the balance above the reserve, up to the maximum of one swap; 0
 * while it is too small. An existing approval is used first, even for a smaller amount, so that no
 * allowance remains.
 */
export function feesToSell(fees: EarnedFees): bigint {
  const { balance, reserve, leastSold, mostSold, approved } = fees;
  const excess = balance - reserve;
  if (excess < leastSold) return 0n;
  const wanted = excess < mostSold ? excess : mostSold;
  return approved !== null && approved >= leastSold && approved < wanted ? approved : wanted;
}

/**
 * Returns the series of a token's conversions in the ledger: `chain|fees|token`. Each number is an
 * approval or a swap. A swap follows its approval and is planned at a block that includes it.
 */
export function conversionSeries(chainId: Felt, token: Felt): string {
  return `${chainId}|fees|${token}`;
}

export const APPROVE_FEES = 'approve_fees';
export const SWAP_FEES = 'swap_fees';

/** Purpose of an approval. Contains the amount, because calldata is redacted later. */
export function approvalPurpose(router: Felt, amount: bigint): CallPurpose {
  return { kind: APPROVE_FEES, subject: router, memo: String(amount) };
}

/** Purpose of a swap. Contains the amount, because calldata is redacted later. */
export function conversionPurpose(token: Felt, amount: bigint): CallPurpose {
  return { kind: SWAP_FEES, subject: token, memo: String(amount) };
}

/** Allowance of a router for a token. */
export interface FeeApproval {
  readonly router: Felt;
  readonly amount: bigint;
}

/** Returns the approval of an {@link approvalPurpose}; null for an attempt of another kind. */
export function approvalOf({ kind, subject, memo }: CallPurpose): FeeApproval | null {
  return kind === APPROVE_FEES && memo !== null ? { router: subject, amount: BigInt(memo) } : null;
}

/** Token that a call of the treasury converts, and the purpose of the call. */
export interface ShownConversion {
  readonly token: Felt;
  readonly purpose: CallPurpose;
}

/**
 * Recognizes an approval of a router for one of the tokens, or a swap of one of them to STRK at a
 * router. Returns null for other calls.
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
/** Number of felts up to the bought token. */
const LEAST_SWAP_FELTS = 4;
const HALF = 1n << 128n;

/** Returns null if a half is out of range. */
function u256At(felts: Felts, index: number): bigint | null {
  const [low, high] = [felts.at(index), felts.at(index + 1)];
  return low < HALF && high < HALF ? u256FromHalves(low, high) : null;
}
