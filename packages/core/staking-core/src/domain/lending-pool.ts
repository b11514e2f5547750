import type { Felt } from '@sotto/kernel';

/** One market of a lending pool: the lent asset. */
export interface LendingPool {
  readonly pool: Felt;
  readonly asset: Felt;
}

/**
 * State of a lending pool's market in the contract's own integers, accrued to the block of the
 * read.
 */
export interface LendingPoolState {
  /** Supplied and not lent out, in the asset's smallest unit. */
  readonly reserve: bigint;
  /** Debt in units of the accumulator; 1e18 is one whole unit of the asset. */
  readonly totalNominalDebtE18: bigint;
  /** Present value of one unit of nominal debt; 1e18 is 1. */
  readonly rateAccumulatorE18: bigint;
  /** Smallest units in one unit of the asset; positive. */
  readonly scale: bigint;
  /** Borrowers' interest rate per second, up to {@link MAX_INTEREST_RATE_E18}; 1e18 is 100 %. */
  readonly interestRateE18: bigint;
}

/** Several pools at one block. */
export interface LendingSnapshot {
  readonly blockNumber: number;
  /** Timestamp of the block, in Unix seconds. */
  readonly timestampSeconds: number;
  /** States in the requested order; null for an unreadable pool. */
  readonly pools: readonly (LendingPoolState | null)[];
}

/**
 * Maximum interest rate per second: 3,110 % a year. No market charges it, and without a bound
 * powers of a rate would be unbounded numbers.
 */
export const MAX_INTEREST_RATE_E18 = 10n ** 12n;
