export { FakeSwapAggregator } from './fake-swap-aggregator.js';
export { FixedPrices } from './fixed-prices.js';
