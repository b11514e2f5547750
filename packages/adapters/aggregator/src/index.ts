export { DailyClosesApi, type DailyClosesSettings } from './daily-closes-api.js';
export { AggregatorMalformed, AggregatorTimedOut, AggregatorUnavailable } from './errors.js';
export { HttpSwapAggregator } from './http-swap-aggregator.js';
export { ImpulsePriceSource, type ImpulseSettings } from './impulse-price-source.js';
export type { PricedTokens } from './translate-prices.js';
