import { domainError } from '@sotto/kernel';

// Messages and details never carry requests, nor the upstream's address: it may hold a key. Of an
// answer they carry at most the bounded text that explains a refusal.

/** The bridge can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class BridgeUnavailable extends domainError('BRIDGE_UNAVAILABLE') {}

/** The bridge rejects this service's key (401 or 403). The request is not the cause. */
export class BridgeUnauthorized extends domainError('BRIDGE_UNAUTHORIZED') {}

/**
 * The bridge's answer was not there in time. A deposit address that it may have made is never used.
 */
export class BridgeTimedOut extends domainError('BRIDGE_TIMED_OUT') {}

/**
 * The bridge answers what can't be understood. `details.at` is where, or `details.status` the
 * status of a refusal of an unknown kind and `details.text` its bounded text.
 */
export class BridgeMalformed extends domainError('BRIDGE_MALFORMED') {}
