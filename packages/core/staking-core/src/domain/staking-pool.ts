import type { Felt } from '@sotto/kernel';
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
  /** Share token of the asset in this pool. */
  readonly vaultToken: Felt;
  readonly vaultTokenSymbol: string;
  readonly risk: Risk;
}

/** Reward rate of a pool, as far as it is known. */
export interface RewardFigure {
  /** 1e18 being 100 %. Null while it was never read, and when it is too old. */
  readonly aprE18: bigint | null;
  /** Time of the last read; null while it was never read. */
  readonly readAtMs: number | null;
  /** The programme has not confirmed the rate recently. */
  readonly isStale: boolean;
}

/** A supported pool with its yields, in exact parts. */
export interface StakingPool {
  readonly terms: StakingPoolTerms;
  /** Of the figures that come from the pool itself. */
  readonly blockNumber: number;
  /** Time of that block, in Unix seconds. */
  readonly timestampSeconds: number;
  /** 1e36 being 100 %, as in the other fractions. */
  readonly supplyApyE36: bigint;
  /** Null while the rate is not known. */
  readonly btcFiAprE36: bigint | null;
  readonly reward: RewardFigure;
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
  readonly timestampSeconds: number;
  readonly state: LendingPoolState;
  readonly btcUsdE8: bigint;
  readonly reward: RewardFigure;
}

const E18 = 10n ** 18n;

/** A pool's figures from what is known of it. */
export function stakingPool(
  terms: StakingPoolTerms,
  { blockNumber, timestampSeconds, state, btcUsdE8, reward }: StakingPoolFacts,
): StakingPool {
  const totalSuppliedE18 = (totalSupplied(state) * E18) / state.scale;
  return {
    terms,
    blockNumber,
    timestampSeconds,
    supplyApyE36: supplyApyE36(state),
    btcFiAprE36: reward.aprE18 === null ? null : reward.aprE18 * E18,
    reward,
    borrowAprE36: borrowAprE36(state),
    utilizationE36: utilizationE36(state),
    totalSuppliedE18,
    btcUsdE8,
    tvlUsdE26: totalSuppliedE18 * btcUsdE8,
  };
}
