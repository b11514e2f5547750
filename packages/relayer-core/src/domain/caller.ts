/** Who asks, as far as the interface can tell. Names in memory: callers are counted by them, and they are used for nothing else. */
export interface Caller {
  /** Of the address, or of the /64 that it is in. */
  readonly name: string;
  /** Of the wider networks that it is in, narrowest first. */
  readonly networks: readonly string[];
}

/** Who asks where nobody says who: all of them are counted as one. */
export const UNNAMED_CALLER: Caller = { name: 'unnamed', networks: [] };
