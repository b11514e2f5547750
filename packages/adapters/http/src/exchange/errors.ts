import { domainError } from '@sotto/kernel';

// Messages and details never carry what was answered, nor the upstream's address.

/** The exchange can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class ExchangeUnavailable extends domainError('EXCHANGE_UNAVAILABLE') {}

/** The exchange's answer was not there in time. */
export class ExchangeTimedOut extends domainError('EXCHANGE_TIMED_OUT') {}

/** The exchange answers what can't be understood. `details.at` is where. */
export class ExchangeMalformed extends domainError('EXCHANGE_MALFORMED') {}
