export { FixedBtcPrice, FixedRewards } from './scripted-sources.js';
export { InMemoryLendingPools } from './in-memory-lending-pools.js';
export { InMemoryRewardRates } from './in-memory-reward-rates.js';
