import { domainError } from '@sotto/kernel';

// Messages and details never contain requests, responses or the upstream's address, which may
// contain a key. The only exception is `details.reason`: the reason of a rejection, as text of
// limited length.

/**
 * The upstream cannot respond now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class AggregatorUnavailable extends domainError('AGGREGATOR_UNAVAILABLE') {}

/**
 * The upstream did not respond in time. The request has no side effects: quotes, calls and prices
 * are only computed.
 */
export class AggregatorTimedOut extends domainError('AGGREGATOR_TIMED_OUT') {}

/**
 * The upstream's response is malformed. `details.at` is the path of the invalid value. For an
 * unknown rejection, `details.status` is the HTTP status and `details.reason` the text.
 */
export class AggregatorMalformed extends domainError('AGGREGATOR_MALFORMED') {}

/** The upstream rejects the operator's key with 401 or 403. `details.status` is the status. */
export class AggregatorUnauthorized extends domainError('AGGREGATOR_UNAUTHORIZED') {}
