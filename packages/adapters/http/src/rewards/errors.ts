import { domainError } from '@sotto/kernel';

// Messages and details never contain answers or the upstream's address.

/**
 * The upstream cannot answer now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class RewardsUnavailable extends domainError('REWARDS_UNAVAILABLE') {}

/** The upstream did not answer in time. */
export class RewardsTimedOut extends domainError('REWARDS_TIMED_OUT') {}

/** The upstream's answer is malformed. `details.at` is the path. */
export class RewardsMalformed extends domainError('REWARDS_MALFORMED') {}
