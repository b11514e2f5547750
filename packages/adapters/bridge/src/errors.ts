import { domainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered, nor the upstream's address: it may
// hold a key.

/** The bridge can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class BridgeUnavailable extends domainError('BRIDGE_UNAVAILABLE') {}

/**
 * The bridge's answer was not there in time. A deposit address that it may have made is never used.
 */
export class BridgeTimedOut extends domainError('BRIDGE_TIMED_OUT') {}

/**
 * The bridge answers what can't be understood. `details.at` is where, or `details.status` the
 * status of a refusal that nothing explains.
 */
export class BridgeMalformed extends domainError('BRIDGE_MALFORMED') {}
