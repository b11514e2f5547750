import { domainError } from '@sotto/kernel';

// Messages and details never contain responses or the upstream's address.

/**
 * The upstream cannot respond now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class RewardsUnavailable extends domainError('REWARDS_UNAVAILABLE') {}

/** The upstream did not respond in time. */
export class RewardsTimedOut extends domainError('REWARDS_TIMED_OUT') {}

/** The upstream's response is malformed. `details.at` is the path of the invalid value. */
export class RewardsMalformed extends domainError('REWARDS_MALFORMED') {}
