import type { Felt } from '@sotto/kernel';
import type { LendingPool, LendingPoolState } from './lending-pool.js';
import { borrowAprE36, supplyApyE36, totalSupplied, utilizationE36 } from './yields.js';

/** Risk of a pool that is shown to users. */
export interface Risk {
  /** Label of the risk, for example `Low-Medium`. */
  readonly label: string;
  /** Level of the risk, from 1 (the lowest) to 5. */
  readonly level: 1 | 2 | 3 | 4 | 5;
}

/** Supported pool from a profile. */
export interface StakingPoolTerms extends LendingPool {
  readonly slug: string;
  readonly name: string;
  /** Address of the token that represents shares of the supply in this pool. */
  readonly vaultToken: Felt;
  readonly vaultTokenSymbol: string;
  readonly risk: Risk;
}

/** Reward rate of a pool, with the time of its read. */
export interface RewardFigure {
  /** Reward rate; 1e18 is 100 %. Null if the rate was never read or is too old. */
  readonly aprE18: bigint | null;
  /** Time of the last read, in Unix milliseconds; null if the rate was never read. */
  readonly readAtMs: number | null;
  /** True if the programme has not confirmed the rate recently. */
  readonly isStale: boolean;
}

/** Supported pool with its yields, in exact figures. */
export interface StakingPool {
  readonly terms: StakingPoolTerms;
  /** Number of the block at which the pool was read. */
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly timestampSeconds: number;
  /** Yearly yield of suppliers; 1e36 is 100 %. */
  readonly supplyApyE36: bigint;
  /** Reward rate; 1e36 is 100 %. Null while the rate is unknown. */
  readonly btcFiAprE36: bigint | null;
  readonly reward: RewardFigure;
  readonly borrowAprE36: bigint;
  readonly utilizationE36: bigint;
  /** Total supply, in units of 1e-18 BTC. */
  readonly totalSuppliedE18: bigint;
  readonly btcUsdE8: bigint;
  /** Value of the supply in units of 1e-26 USD: the exact product of supply and price. */
  readonly tvlUsdE26: bigint;
}

/** Facts about a pool that were read from the chain, the price source and the reward programme. */
export interface StakingPoolFacts {
  readonly blockNumber: number;
  readonly timestampSeconds: number;
  readonly state: LendingPoolState;
  readonly btcUsdE8: bigint;
  readonly reward: RewardFigure;
}

const E18 = 10n ** 18n;

/** Computes a pool's figures from the facts that the sources have returned. */
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
