/**
 * Origin of a request, as known to the interface. The names stay in memory and serve only to count
 * callers.
 */
export interface Caller {
  /** Name of the address, or of the /64 that contains it. */
  readonly name: string;
  /** Names of the wider networks that contain it, narrowest first. */
  readonly networks: readonly string[];
}

/** Caller of requests without a caller: all of these are counted as one. */
export const UNNAMED_CALLER: Caller = { name: 'unnamed', networks: [] };
