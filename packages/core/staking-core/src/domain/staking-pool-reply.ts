import type { Felt } from '@sotto/kernel';
import type { Risk, StakingPool } from './staking-pool.js';

const MS_PER_SECOND = 1_000;

/**
 * An element of the reply of `GET /api/staking`, with names and types of the specification, and
 * further fields of the supported pools.
 */
export interface StakingPoolReply {
  readonly slug: string;
  readonly name: string;
  readonly poolId: string;
  /** Yield of suppliers in percent. */
  readonly supplyApy: number;
  /**
   * Reward rate in percent. The interface requires a number: 0 while the rate is unknown. Then
   * `rewardsApr` is null.
   */
  readonly btcFiApr: number;
  /**
   * Total yield in percent, rounded from the exact sum; without rewards while their rate is
   * unknown.
   */
  readonly totalApy: number;
  /** Lent share of the supply, from 0 to 1. */
  readonly utilization: number;
  readonly tvlUsd: number;
  /** Supply in BTC. */
  readonly totalSupplied: number;
  /** Price in USD. */
  readonly btcPrice: number;
  /** Borrowers' rate in percent. */
  readonly borrowApr: number;
  readonly vaultTokenSymbol: string;
  readonly vaultToken: Felt;
  readonly asset: Felt;
  readonly risk: Risk;
  /** Block of the pool's figures. */
  readonly blockNumber: number;
  /** Time of that block, in Unix seconds. */
  readonly asOf: number;
  /** Reward rate in percent; null while it is unknown. */
  readonly rewardsApr: number | null;
  /** Time of the last read of the reward rate, in Unix seconds; null if it was never read. */
  readonly rewardsAsOf: number | null;
  /** True if the programme has not confirmed the reward rate recently. */
  readonly stale: boolean;
}

/**
 * Converts a pool's exact figures to the numbers of the reply. Each number is rounded once, from
 * its own exact value.
 */
export function stakingPoolReply({
  terms,
  reward,
  btcFiAprE36,
  ...pool
}: StakingPool): StakingPoolReply {
  const { readAtMs, isStale } = reward;
  return {
    slug: terms.slug,
    name: terms.name,
    poolId: terms.pool,
    supplyApy: percentNumber(pool.supplyApyE36),
    btcFiApr: percentNumber(btcFiAprE36 ?? 0n),
    totalApy: percentNumber(pool.supplyApyE36 + (btcFiAprE36 ?? 0n)),
    utilization: ratioNumber(pool.utilizationE36),
    tvlUsd: usdNumber(pool.tvlUsdE26, 26),
    totalSupplied: btcNumber(pool.totalSuppliedE18),
    btcPrice: usdNumber(pool.btcUsdE8, 8),
    borrowApr: percentNumber(pool.borrowAprE36),
    vaultTokenSymbol: terms.vaultTokenSymbol,
    vaultToken: terms.vaultToken,
    asset: terms.asset,
    risk: terms.risk,
    blockNumber: pool.blockNumber,
    asOf: pool.timestampSeconds,
    rewardsApr: btcFiAprE36 === null ? null : percentNumber(btcFiAprE36),
    rewardsAsOf: readAtMs === null ? null : Math.floor(readAtMs / MS_PER_SECOND),
    stale: isStale,
  };
}

/** Converts a fraction to the nearest double in percent: 5 for 5 %. */
function percentNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 34);
}

/** Converts a fraction to the nearest double: 0.05 for 5 %. */
function ratioNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 36);
}

/**
 * Converts an amount of BTC to the nearest double, which is exact to a sat below 90 million BTC.
 */
function btcNumber(amountE18: bigint): number {
  return nearestNumber(amountE18, 18);
}

/** Converts an amount of USD with this many decimals to the nearest double. */
function usdNumber(amount: bigint, decimals: number): number {
  return nearestNumber(amount, decimals);
}

/**
 * Converts through decimal text, which is rounded to the nearest double; a division of two rounded
 * doubles would not be.
 */
function nearestNumber(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
