import type { Felt } from '@sotto/kernel';

/** One market of a lending pool: what is lent there. */
export interface LendingPool {
  readonly pool: Felt;
  readonly asset: Felt;
}

/**
 * What a lending pool says of its market, in the contract's own integers, accrued to the block they
 * were read at.
 */
export interface LendingPoolState {
  /** Lent and not used, in the asset's smallest unit. */
  readonly reserve: bigint;
  /** Debt in units of the accumulator, 1e18 being one whole unit of the asset. */
  readonly totalNominalDebtE18: bigint;
  /** What one unit of nominal debt has grown to, 1e18 being 1. */
  readonly rateAccumulatorE18: bigint;
  /** Smallest units in one unit of the asset; above 0. */
  readonly scale: bigint;
  /** What borrowers pay each second, 1e18 being 100 %; at most {@link MAX_INTEREST_RATE_E18}. */
  readonly interestRateE18: bigint;
}

/** Several pools at one block. */
export interface LendingSnapshot {
  readonly blockNumber: number;
  /** When the block was made, in Unix seconds. */
  readonly timestampSeconds: number;
  /** In the requested order. Null for a pool that cannot be read. */
  readonly pools: readonly (LendingPoolState | null)[];
}

/**
 * 3,110 % a year. No market charges it, and powers of a rate without bound would be numbers without
 * bound.
 */
export const MAX_INTEREST_RATE_E18 = 10n ** 12n;
