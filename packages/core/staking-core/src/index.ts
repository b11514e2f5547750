export {
  ListStakingPools,
  STAKING_FRESHNESS,
  type StakingFreshness,
  type StakingPolicy,
  type StakingSources,
} from './application/list-staking-pools.js';
export { MAX_INTEREST_RATE_E18 } from './domain/lending-pool.js';
export type { RewardFigure, Risk, StakingPool, StakingPoolTerms } from './domain/staking-pool.js';
export { stakingPoolReply, type StakingPoolReply } from './domain/staking-pool-reply.js';
export {
  ONE_E36,
  borrowAprE36,
  supplyApyE36,
  totalDebt,
  totalSupplied,
  utilizationE36,
} from './domain/yields.js';
export { StakingDataUnavailable } from './errors.js';
export { BtcPriceSource, type BtcPriceObservation } from './ports/btc-price-source.port.js';
export {
  LendingPoolReader,
  type LendingPool,
  type LendingPoolState,
  type LendingSnapshot,
} from './ports/lending-pool-reader.port.js';
export { RewardRates, type RewardRate } from './ports/reward-rates.port.js';
export { RewardProgramme } from './ports/reward-programme.port.js';
