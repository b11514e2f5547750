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
export { describeRewardRatesContract, type RewardRatesHarness } from './reward-rates.contract.js';
