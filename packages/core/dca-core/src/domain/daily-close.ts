/** Price of one BTC at the end of a day. */
export interface DailyClose {
  /** Number of the day: days since 1970-01-01, in UTC. */
  readonly day: number;
  /** Price in 1e-8 USD; positive. */
  readonly usdE8: bigint;
}

/** Daily close with the name of its source. */
export interface SourcedClose extends DailyClose {
  readonly source: string;
}

const SECONDS_PER_DAY = 86_400;

/** Returns the number of the UTC day that contains this time, given in Unix seconds. */
export function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / SECONDS_PER_DAY);
}
