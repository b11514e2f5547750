import { DomainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered, nor the upstream's address: it may
// hold a key.

/** The upstream can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class AggregatorUnavailable extends DomainError {
  readonly code = 'AGGREGATOR_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/**
 * The upstream's answer was not there in time. Nothing changed by it: quotes, calls and prices are
 * only computed.
 */
export class AggregatorTimedOut extends DomainError {
  readonly code = 'AGGREGATOR_TIMED_OUT';
  readonly kind = 'timeout';
}

/**
 * The upstream answers what can't be understood. `details.at` is where, or `details.status` the
 * status of a refusal that nothing explains.
 */
export class AggregatorMalformed extends DomainError {
  readonly code = 'AGGREGATOR_MALFORMED';
  readonly kind = 'upstream_failed';
}
