/** Price of one BTC at the end of a day. */
export interface DailyClose {
  /** Days since 1970-01-01, in UTC. */
  readonly day: number;
  /** In 1e-8 USD; above 0. */
  readonly usdE8: bigint;
}

/** The same as one source has it. */
export interface SourcedClose extends DailyClose {
  readonly source: string;
}

const SECONDS_PER_DAY = 86_400;

/** The UTC day of a moment in Unix seconds. */
export function dayOf(unixSeconds: number): number {
  return Math.floor(unixSeconds / SECONDS_PER_DAY);
}
