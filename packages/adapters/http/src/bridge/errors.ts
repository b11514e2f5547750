import { domainError } from '@sotto/kernel';

// Messages and details never contain requests or the upstream's address, which may contain a key.
// The only content of a response is the text that explains a rejection, with limited length.

/**
 * The bridge cannot respond now: it is unreachable, overloaded or rate limited, or its circuit
 * breaker is open.
 */
export class BridgeUnavailable extends domainError('BRIDGE_UNAVAILABLE') {}

/** The bridge rejects this service's key (401 or 403). The request is not the cause. */
export class BridgeUnauthorized extends domainError('BRIDGE_UNAUTHORIZED') {}

/**
 * The bridge did not respond in time. If it created a deposit address, that address is never used.
 */
export class BridgeTimedOut extends domainError('BRIDGE_TIMED_OUT') {}

/**
 * The bridge's response is malformed. `details.at` is the path of the invalid value. For an unknown
 * rejection, `details.status` is the HTTP status and `details.text` the text, with limited length.
 */
export class BridgeMalformed extends domainError('BRIDGE_MALFORMED') {}
