/**
 * Origin of a request, as known to the HTTP interface that received it. The names remain in memory
 * and serve only to limit and count callers.
 */
export interface Caller {
  /** Name of the caller's IP address; for IPv6, of the /64 network that contains it. */
  readonly name: string;
  /** Names of the wider networks that contain the address, narrowest first. */
  readonly networks: readonly string[];
}

/**
 * Caller that represents all requests whose caller is unknown. All such requests are counted as one
 * caller.
 */
export const UNNAMED_CALLER: Caller = { name: 'unnamed', networks: [] };
