import { domainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered, nor the upstream's address: it may
// hold a key. Reasons of a refusal are the exception: `details.reason` has them as bounded text.

/** The upstream can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class AggregatorUnavailable extends domainError('AGGREGATOR_UNAVAILABLE') {}

/**
 * The upstream's answer was not there in time. Nothing changed by it: quotes, calls and prices are
 * only computed.
 */
export class AggregatorTimedOut extends domainError('AGGREGATOR_TIMED_OUT') {}

/**
 * The upstream answers what can't be understood. `details.at` is where. For a refusal of an unknown
 * kind, `details.status` is its status and `details.reason` its own words.
 */
export class AggregatorMalformed extends domainError('AGGREGATOR_MALFORMED') {}

/** The upstream rejects the operator's key with 401 or 403. `details.status` is the status. */
export class AggregatorUnauthorized extends domainError('AGGREGATOR_UNAUTHORIZED') {}
