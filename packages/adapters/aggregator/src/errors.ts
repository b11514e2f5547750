import { domainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered, nor the upstream's address: it may
// hold a key.

/** The upstream can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class AggregatorUnavailable extends domainError('AGGREGATOR_UNAVAILABLE') {}

/**
 * The upstream's answer was not there in time. Nothing changed by it: quotes, calls and prices are
 * only computed.
 */
export class AggregatorTimedOut extends domainError('AGGREGATOR_TIMED_OUT') {}

/**
 * The upstream answers what can't be understood. `details.at` is where, or `details.status` the
 * status of a refusal that nothing explains.
 */
export class AggregatorMalformed extends domainError('AGGREGATOR_MALFORMED') {}
