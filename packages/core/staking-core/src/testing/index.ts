export { FixedBtcPrice, FixedRewards } from './scripted-sources.js';
export { InMemoryLendingPools } from './in-memory-lending-pools.js';
export {
  describeBtcPriceSourceContract,
  type BtcPriceSourceHarness,
} from './btc-price-source.contract.js';
export {
  describeLendingPoolReaderContract,
  type LendingPoolReaderHarness,
  type LendingPoolStage,
} from './lending-pool-reader.contract.js';
export {
  describeRewardProgrammeContract,
  type RewardProgrammeHarness,
} from './reward-programme.contract.js';
