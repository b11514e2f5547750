/**
 * Who asks, as far as the interface knows. The names stay in memory and serve only to count
 * callers.
 */
export interface Caller {
  /** Of the address, or of the /64 that it is in. */
  readonly name: string;
  /** Of the wider networks that it is in, narrowest first. */
  readonly networks: readonly string[];
}

/** The caller of requests that name none: they are all counted as one. */
export const UNNAMED_CALLER: Caller = { name: 'unnamed', networks: [] };
