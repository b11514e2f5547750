import type { Felt } from '@sotto/kernel';
import type { Risk, StakingPool } from './staking-pool.js';

const MS_PER_SECOND = 1_000;

/**
 * An element of the reply of `GET /api/staking`, as the specification names and types it, and
 * further fields on the supported pools.
 */
export interface StakingPoolReply {
  readonly slug: string;
  readonly name: string;
  readonly poolId: string;
  /** In percent. */
  readonly supplyApy: number;
  /**
   * In percent. The interface gives it as a number: 0 while the rate is not known. Then
   * `rewardsApr` is null.
   */
  readonly btcFiApr: number;
  /** In percent, rounded from the exact sum; without rewards while their rate is not known. */
  readonly totalApy: number;
  /** From 0 to 1. */
  readonly utilization: number;
  readonly tvlUsd: number;
  /** In BTC. */
  readonly totalSupplied: number;
  /** In USD. */
  readonly btcPrice: number;
  /** In percent. */
  readonly borrowApr: number;
  readonly vaultTokenSymbol: string;
  readonly vaultToken: Felt;
  readonly asset: Felt;
  readonly risk: Risk;
  /** Block of the figures that come from the pool. */
  readonly blockNumber: number;
  /** Time of that block, in Unix seconds. */
  readonly asOf: number;
  /** Reward rate in percent; null while it is not known. */
  readonly rewardsApr: number | null;
  /** Time of the last read of the reward rate, in Unix seconds; null while it was never read. */
  readonly rewardsAsOf: number | null;
  /** The programme has not confirmed the reward rate recently. */
  readonly stale: boolean;
}

/**
 * A pool's exact figures in the numbers of the reply. Each number is rounded once, from its own
 * exact value.
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

/** A fraction in percent: the double nearest to it, 5 for 5 %. */
function percentNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 34);
}

/** A fraction as it is: the double nearest to it, 0.05 for 5 %. */
function ratioNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 36);
}

/** An amount of BTC: the double nearest to it, which below 90 million BTC keeps every sat. */
function btcNumber(amountE18: bigint): number {
  return nearestNumber(amountE18, 18);
}

/** An amount of USD with so many decimals: the double nearest to it. */
function usdNumber(amount: bigint, decimals: number): number {
  return nearestNumber(amount, decimals);
}

/**
 * Decimal text is rounded to the nearest double; a division of two rounded doubles would not be.
 */
function nearestNumber(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
