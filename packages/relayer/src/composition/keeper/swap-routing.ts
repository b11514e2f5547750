import type { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { FairValues, SwapRouting, type MarketPrices, type PoolToken } from '@sotto/market-core';
import type { KeeperModuleSettings } from './task-binding.js';

/**
 * Maximum difference by which the output of a purchase or a fee swap may be below its fair value,
 * in hundredths of a percent.
 */
export const MAX_IMPACT_BPS = 100;
/**
 * Maximum difference by which the output of a keeper's swap may be below its quote, in millionths.
 */
export const SLIPPAGE_PPM = 5_000;

/**
 * Minimum tolerance, in millionths. A keeper's swap has no tolerance from a caller, so every quote
 * above the minimum that follows from the fair value is accepted. With a tolerance of 0, the swap
 * would have to match its quote exactly.
 */
const LEAST_SLIPPAGE_PPM = 1;

/**
 * Creates routes of swaps into one of these tokens. The output is at least the fair value less the
 * maximum price impact.
 */
export function routingTo(
  bought: readonly PoolToken[],
  { network }: KeeperModuleSettings,
  maxPriceImpactBps: number,
): (ports: {
  readonly aggregator: HttpSwapAggregator;
  readonly marketPrices: MarketPrices;
}) => SwapRouting {
  const { routers = [], branchRoutes = false } = network.swapPool ?? {};
  return ({ aggregator, marketPrices }) =>
    new SwapRouting(aggregator, new FairValues(marketPrices, bought), {
      routers,
      allowBranchRoutes: branchRoutes,
      maxPriceImpactBps,
      minSlippagePpm: LEAST_SLIPPAGE_PPM,
    });
}
