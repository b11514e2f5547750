import { DomainError } from '@sotto/kernel';

// Messages and details never carry what was answered, nor the upstream's address.

/** The upstream can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class RewardsUnavailable extends DomainError {
  readonly code = 'REWARDS_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/** The upstream's answer was not there in time. */
export class RewardsTimedOut extends DomainError {
  readonly code = 'REWARDS_TIMED_OUT';
  readonly kind = 'timeout';
}

/** The upstream answers what can't be understood. `details.at` is where. */
export class RewardsMalformed extends DomainError {
  readonly code = 'REWARDS_MALFORMED';
  readonly kind = 'upstream_failed';
}
