export { FairValues, warnOfUnpricedTokens } from './application/fair-values.js';
export {
  MarketPrices,
  type MarketPricesSettings,
  type PriceSourceStatus,
} from './application/market-prices.js';
export {
  SwapRouting,
  type RoutedSwap,
  type SwapRoutingPolicy,
} from './application/swap-routing.js';
export type { CheckedSwap } from './domain/built-swap.js';
export { friToFeeToken, type FeeTokenPrices } from './domain/fee-token.js';
export {
  agreePrice,
  type PriceLimits,
  type PriceObservation,
  type PricedAsset,
  type SourceObservations,
} from './domain/market-price.js';
export type { PoolToken } from './domain/priced-token.js';
export { promisedMinimum, signedMinimum } from './domain/signed-minimum.js';
export { swapAmounts, type SwapAmounts } from './domain/swap-amounts.js';
export {
  demandsMore,
  readSwapBounds,
  swapBoundsText,
  toleranceInForce,
} from './domain/swap-bounds.js';
export {
  DEFAULT_SLIPPAGE_PPM,
  MAX_SLIPPAGE_PPM,
  type BuiltCall,
  type SwapQuote,
} from './domain/swap.js';
export { toUsdE8 } from './domain/usd-text.js';
export {
  NoQuotesAvailable,
  OutputTokenNotSupported,
  PriceImpactTooHigh,
  PriceUnavailable,
  SlippageTooTight,
  SwapBelowFloor,
  SwapBuildRejected,
  SwapRouteTooLong,
} from './errors.js';
export { PriceSource } from './ports/price-source.port.js';
export {
  SwapAggregator,
  type BuiltSwap,
  type SwapBuildRequest,
  type SwapQuoteRequest,
} from './ports/swap-aggregator.port.js';
