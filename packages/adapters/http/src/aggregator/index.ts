export { DailyClosesApi, type DailyClosesSettings } from './daily-closes-api.js';
export {
  AggregatorMalformed,
  AggregatorTimedOut,
  AggregatorUnauthorized,
  AggregatorUnavailable,
} from './errors.js';
export { HttpSwapAggregator, type AggregatorSettings } from './http-swap-aggregator.js';
export { ImpulsePriceSource, type ImpulseSettings } from './impulse-price-source.js';
export type { AggregatorProtocol } from './profiles.js';
export type { PricedTokens } from './translate-prices.js';
