import type { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { FairValues, SwapRouting, type MarketPrices, type PoolToken } from '@sotto/market-core';
import type { KeeperModuleSettings } from './task-binding.js';

/**
 * Largest shortfall of a purchase or a fee swap from its fair value, in hundredths of a percent.
 */
export const MAX_IMPACT_BPS = 100;
/** Largest shortfall of a keeper's swap from its quote, in millionths. */
export const SLIPPAGE_PPM = 5_000;

/**
 * Smallest tolerance. There is no caller's tolerance to respect, so every quote above the floor
 * that follows from the fair value is accepted. With 0, the swap would have to match its quote
 * exactly.
 */
const LEAST_SLIPPAGE_PPM = 1;

/**
 * Creates routes of swaps into one of these tokens, at no less than their fair value less the
 * bound.
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
