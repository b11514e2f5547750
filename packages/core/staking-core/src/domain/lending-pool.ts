import type { Felt } from '@sotto/kernel';

/** Market of a lending pool for one lent asset. */
export interface LendingPool {
  readonly pool: Felt;
  readonly asset: Felt;
}

/**
 * State of a lending pool's market, in the contract's own integers. Interest is accrued up to the
 * block of the read.
 */
export interface LendingPoolState {
  /** Supplied amount that is not lent out, in the asset's smallest unit. */
  readonly reserve: bigint;
  /** Debt in units of the accumulator. 1e18 is one whole unit of the asset. */
  readonly totalNominalDebtE18: bigint;
  /** Present value of one unit of nominal debt. 1e18 is 1. */
  readonly rateAccumulatorE18: bigint;
  /** Number of smallest units in one whole unit of the asset; positive. */
  readonly scale: bigint;
  /**
   * Interest rate of borrowers per second, at most {@link MAX_INTEREST_RATE_E18}. 1e18 is 100 %.
   */
  readonly interestRateE18: bigint;
}

/** State of several pools at one block. */
export interface LendingSnapshot {
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestampSeconds: number;
  /** States of the pools in the requested order; null for a pool that could not be read. */
  readonly pools: readonly (LendingPoolState | null)[];
}

/**
 * Maximum interest rate per second, which is 3,110 % a year. No market charges this rate. Without a
 * maximum, the powers of a rate could become arbitrarily large numbers.
 */
export const MAX_INTEREST_RATE_E18 = 10n ** 12n;
