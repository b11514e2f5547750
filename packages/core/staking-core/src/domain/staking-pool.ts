import type { Felt } from '@sotto/kernel';
import type { LendingPool, LendingPoolState } from './lending-pool.js';
import { borrowAprE36, supplyApyE36, totalSupplied, utilizationE36 } from './yields.js';

/** Risk of a pool, as shown to users. */
export interface Risk {
  /** Label of the risk, for example `Low-Medium`. */
  readonly label: string;
  /** Level from 1, the lowest, to 5. */
  readonly level: 1 | 2 | 3 | 4 | 5;
}

/** A supported pool of a profile. */
export interface StakingPoolTerms extends LendingPool {
  readonly slug: string;
  readonly name: string;
  /** Share token of the asset in this pool. */
  readonly vaultToken: Felt;
  readonly vaultTokenSymbol: string;
  readonly risk: Risk;
}

/** Known reward rate of a pool. */
export interface RewardFigure {
  /** Rate; 1e18 is 100 %. Null if it was never read or is too old. */
  readonly aprE18: bigint | null;
  /** Time of the last read; null if it was never read. */
  readonly readAtMs: number | null;
  /** True if the programme has not confirmed the rate recently. */
  readonly isStale: boolean;
}

/** A supported pool with its yields, in exact figures. */
export interface StakingPool {
  readonly terms: StakingPoolTerms;
  /** Block of the pool's figures. */
  readonly blockNumber: number;
  /** Time of that block, in Unix seconds. */
  readonly timestampSeconds: number;
  /** Yield of suppliers; 1e36 is 100 %, as in the other fractions. */
  readonly supplyApyE36: bigint;
  /** Reward rate; null while it is unknown. */
  readonly btcFiAprE36: bigint | null;
  readonly reward: RewardFigure;
  readonly borrowAprE36: bigint;
  readonly utilizationE36: bigint;
  /** Supply in 1e-18 BTC. */
  readonly totalSuppliedE18: bigint;
  readonly btcUsdE8: bigint;
  /** Value in 1e-26 USD: the exact product of supply and price. */
  readonly tvlUsdE26: bigint;
}

/** Facts about a pool from the sources. */
export interface StakingPoolFacts {
  readonly blockNumber: number;
  readonly timestampSeconds: number;
  readonly state: LendingPoolState;
  readonly btcUsdE8: bigint;
  readonly reward: RewardFigure;
}

const E18 = 10n ** 18n;

/** Computes a pool's figures from the known facts. */
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
