export { describePriceSourceContract } from './price-source.contract.js';
export {
  describeSwapAggregatorContract,
  type SwapAggregatorHarness,
  type SwapAggregatorState,
} from './swap-aggregator.contract.js';
