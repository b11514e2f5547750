/** Price of one BTC at the end of a day. */
export interface DailyClose {
  /** Days since 1970-01-01, in UTC. */
  readonly day: number;
  /** Price in 1e-8 USD; positive. */
  readonly usdE8: bigint;
}

/** A close with its source. */
export interface SourcedClose extends DailyClose {
  readonly source: string;
}

const SECONDS_PER_DAY = 86_400;

/** UTC day of a moment in Unix seconds. */
export function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / SECONDS_PER_DAY);
}
