import { domainError } from '@sotto/kernel';

// Messages and details never contain requests, answers or the upstream's address, which may contain
// a key. Exception: `details.reason` has the reason of a rejection as bounded text.

/**
 * The upstream cannot answer now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class AggregatorUnavailable extends domainError('AGGREGATOR_UNAVAILABLE') {}

/**
 * The upstream did not answer in time. The request has no side effects: quotes, calls and prices
 * are only computed.
 */
export class AggregatorTimedOut extends domainError('AGGREGATOR_TIMED_OUT') {}

/**
 * The upstream's answer is malformed. `details.at` is the path. For an unknown rejection,
 * `details.status` is its status and `details.reason` its text.
 */
export class AggregatorMalformed extends domainError('AGGREGATOR_MALFORMED') {}

/** The upstream rejects the operator's key with 401 or 403. `details.status` is the status. */
export class AggregatorUnauthorized extends domainError('AGGREGATOR_UNAUTHORIZED') {}
