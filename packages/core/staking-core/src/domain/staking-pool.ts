import type { LendingPool, LendingPoolState } from './lending-pool.js';
import { borrowAprE36, supplyApyE36, totalSupplied, utilizationE36 } from './yields.js';

/** The risk of a pool, as users read it. */
export interface Risk {
  /** For example `Low-Medium`. */
  readonly label: string;
  /** From 1, the lowest, to 5. */
  readonly level: 1 | 2 | 3 | 4 | 5;
}

/** What a profile says of a supported pool. */
export interface StakingPoolTerms extends LendingPool {
  readonly slug: string;
  readonly name: string;
  readonly vaultTokenSymbol: string;
  readonly risk: Risk;
}

/** A supported pool with its yields, in exact parts. */
export interface StakingPool {
  readonly terms: StakingPoolTerms;
  /** Of the figures that come from the pool itself. */
  readonly blockNumber: number;
  /** 1e36 being 100 %, as in the other fractions. */
  readonly supplyApyE36: bigint;
  readonly btcFiAprE36: bigint;
  readonly borrowAprE36: bigint;
  readonly utilizationE36: bigint;
  /** In 1e-18 BTC. */
  readonly totalSuppliedE18: bigint;
  readonly btcUsdE8: bigint;
  /** In 1e-26 USD: the exact product of supply and price. */
  readonly tvlUsdE26: bigint;
}

/** What the sources say of a pool. */
export interface StakingPoolFacts {
  readonly blockNumber: number;
  readonly state: LendingPoolState;
  readonly btcUsdE8: bigint;
  /** 1e18 being 100 %. */
  readonly rewardAprE18: bigint;
}

const E18 = 10n ** 18n;

/** A pool's figures from what is known of it. */
export function stakingPool(
  terms: StakingPoolTerms,
  { blockNumber, state, btcUsdE8, rewardAprE18 }: StakingPoolFacts,
): StakingPool {
  const totalSuppliedE18 = (totalSupplied(state) * E18) / state.scale;
  return {
    terms,
    blockNumber,
    supplyApyE36: supplyApyE36(state),
    btcFiAprE36: rewardAprE18 * E18,
    borrowAprE36: borrowAprE36(state),
    utilizationE36: utilizationE36(state),
    totalSuppliedE18,
    btcUsdE8,
    tvlUsdE26: totalSuppliedE18 * btcUsdE8,
  };
}
