export { RewardsMalformed, RewardsTimedOut, RewardsUnavailable } from './errors.js';
export { HttpRewardProgramme } from './http-reward-programme.js';
