import type { Felt } from '@sotto/kernel';
import type { Risk, StakingPool } from './staking-pool.js';

const MS_PER_SECOND = 1_000;

/**
 * Element of the reply of `GET /api/staking`. Contains the field names and types of the
 * specification, and additional fields of the supported pools.
 */
export interface StakingPoolReply {
  readonly slug: string;
  readonly name: string;
  readonly poolId: string;
  /** Yearly yield of suppliers, in percent. */
  readonly supplyApy: number;
  /**
   * Reward rate in percent. The interface requires a number, so the value is 0 while the rate is
   * unknown; `rewardsApr` is then null.
   */
  readonly btcFiApr: number;
  /**
   * Total yield in percent, rounded once from the exact sum. Does not include rewards while their
   * rate is unknown.
   */
  readonly totalApy: number;
  /** Part of the supply that is lent out, from 0 to 1. */
  readonly utilization: number;
  readonly tvlUsd: number;
  /** Total supply in BTC. */
  readonly totalSupplied: number;
  /** Price of one BTC in USD. */
  readonly btcPrice: number;
  /** Yearly interest rate of borrowers, in percent. */
  readonly borrowApr: number;
  readonly vaultTokenSymbol: string;
  readonly vaultToken: Felt;
  readonly asset: Felt;
  readonly risk: Risk;
  /** Number of the block at which the pool was read. */
  readonly blockNumber: number;
  /** Time of the block, in Unix seconds. */
  readonly asOf: number;
  /** Reward rate in percent; null while the rate is unknown. */
  readonly rewardsApr: number | null;
  /** Time of the last read of the reward rate, in Unix seconds; null if the rate was never read. */
  readonly rewardsAsOf: number | null;
  /** True if the programme has not confirmed the reward rate recently. */
  readonly stale: boolean;
}

/**
 * Converts a pool's exact figures to the numbers of the reply. Each number is rounded only once,
 * from its own exact value.
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

/** Converts a fraction to the nearest double in percent: 5 % becomes 5. */
function percentNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 34);
}

/** Converts a fraction to the nearest double: 5 % becomes 0.05. */
function ratioNumber(fractionE36: bigint): number {
  return nearestNumber(fractionE36, 36);
}

/**
 * Converts an amount of BTC to the nearest double. The result is exact to a sat below 90 million
 * BTC.
 */
function btcNumber(amountE18: bigint): number {
  return nearestNumber(amountE18, 18);
}

/** Converts an amount of USD with this many decimals to the nearest double. */
function usdNumber(amount: bigint, decimals: number): number {
  return nearestNumber(amount, decimals);
}

/**
 * Converts a number with this many decimals to the nearest double. The conversion uses decimal
 * text, which is rounded once; a division of two rounded doubles would be rounded several times.
 */
function nearestNumber(value: bigint, decimals: number): number {
  const digits = String(value).padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}
