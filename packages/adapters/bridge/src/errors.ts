import { DomainError } from '@sotto/kernel';

// Messages and details never carry what was asked or answered, nor the upstream's address: it may
// hold a key.

/** The bridge can't answer now: not reached, overloaded, limited, or left alone after failing. */
export class BridgeUnavailable extends DomainError {
  readonly code = 'BRIDGE_UNAVAILABLE';
  readonly kind = 'unavailable';
}

/**
 * The bridge's answer was not there in time. A deposit address that it may have made is never used.
 */
export class BridgeTimedOut extends DomainError {
  readonly code = 'BRIDGE_TIMED_OUT';
  readonly kind = 'timeout';
}

/**
 * The bridge answers what can't be understood. `details.at` is where, or `details.status` the
 * status of a refusal that nothing explains.
 */
export class BridgeMalformed extends DomainError {
  readonly code = 'BRIDGE_MALFORMED';
  readonly kind = 'upstream_failed';
}
