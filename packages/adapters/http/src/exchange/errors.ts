import { domainError } from '@sotto/kernel';

// Messages and details never contain responses or the upstream's address.

/**
 * The exchange cannot respond now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class ExchangeUnavailable extends domainError('EXCHANGE_UNAVAILABLE') {}

/** The exchange did not respond in time. */
export class ExchangeTimedOut extends domainError('EXCHANGE_TIMED_OUT') {}

/** The exchange's response is malformed. `details.at` is the path of the invalid value. */
export class ExchangeMalformed extends domainError('EXCHANGE_MALFORMED') {}
