import { domainError } from '@sotto/kernel';

// Messages and details never carry what was answered, nor the upstream's address.

/** The upstream can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class RewardsUnavailable extends domainError('REWARDS_UNAVAILABLE') {}

/** The upstream's answer was not there in time. */
export class RewardsTimedOut extends domainError('REWARDS_TIMED_OUT') {}

/** The upstream answers what can't be understood. `details.at` is where. */
export class RewardsMalformed extends domainError('REWARDS_MALFORMED') {}
