import { domainError } from '@sotto/kernel';

// Messages and details never contain answers or the upstream's address.

/**
 * The exchange cannot answer now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class ExchangeUnavailable extends domainError('EXCHANGE_UNAVAILABLE') {}

/** The exchange did not answer in time. */
export class ExchangeTimedOut extends domainError('EXCHANGE_TIMED_OUT') {}

/** The exchange's answer is malformed. `details.at` is the path. */
export class ExchangeMalformed extends domainError('EXCHANGE_MALFORMED') {}
