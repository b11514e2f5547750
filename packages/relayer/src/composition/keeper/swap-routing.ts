import type { HttpSwapAggregator } from '@sotto/adapter-http/aggregator';
import { FairValues, SwapRouting, type MarketPrices, type PoolToken } from '@sotto/market-core';
import type { KeeperModuleSettings } from './task-binding.js';

/** How far a purchase, or a swap of fees, may fall short of its fair value. */
export const MAX_IMPACT_BPS = 100;
/** What a swap of the keeper may end below its quote. */
export const SLIPPAGE_PPM = 5_000;

/**
 * Every quote above the floor that follows from its fair value is taken: there is no caller whose
 * tolerance it has to leave. At 0 the swap would have to end exactly at its quote.
 */
const LEAST_SLIPPAGE_PPM = 1;

/** Routes of swaps into one of these tokens, at no less than their fair value less the bound. */
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
