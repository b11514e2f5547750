/** What lay idle in a vault at one block. */
export interface Sighting {
  readonly sats: bigint;
  /** The block's own time, in Unix seconds. */
  readonly timestamp: number;
}

export interface SightingLimits {
  readonly settleSeconds: number;
  /** Sightings further apart than this say nothing of the time between them. */
  readonly longestGapSeconds: number;
}

/**
 * Sightings of a vault with a further one, oldest first. One with less than before makes all before
 * it worthless, and so does a gap: what lay there in between is not known. One of an older block,
 * or of the same one, is left out. Of those that are at least so old as the settle time only the
 * newest is kept.
 */
export function withSighting(
  seen: readonly Sighting[],
  next: Sighting,
  { settleSeconds, longestGapSeconds }: SightingLimits,
): readonly Sighting[] {
  const last = seen.at(-1);
  if (last !== undefined && next.timestamp <= last.timestamp) return seen;
  const isOver =
    last !== undefined &&
    (next.sats < last.sats || next.timestamp - last.timestamp > longestGapSeconds);
  if (isOver) return [next];
  const all = [...seen, next];
  const settled = all.findLastIndex(({ timestamp }) => next.timestamp - timestamp >= settleSeconds);
  return all.slice(Math.max(0, settled));
}

/** What has lain idle for the settle time at the newest sighting; null while nothing has. */
export function settledSats(seen: readonly Sighting[], settleSeconds: number): bigint | null {
  const [oldest] = seen;
  const newest = seen.at(-1);
  if (oldest === undefined || newest === undefined) return null;
  return newest.timestamp - oldest.timestamp >= settleSeconds ? oldest.sats : null;
}

export interface DueDeploymentLimits {
  /** Less than this, in sats of WBTC, is left where it is; 100,000 serves. */
  readonly thresholdSats: bigint;
  /** A deployment moves at least so many times what its call costs; 20 serves. */
  readonly costFactor: bigint;
  /** At most this much by one call, in sats; 100,000,000 serves. */
  readonly maxSatsPerCall: bigint;
  /** At most this much of one vault within 24 hours, in sats; 500,000,000 serves. */
  readonly maxSatsPerDay: bigint;
}

/** A vault at one block, with what is known of its deployments. */
export interface DeploymentFacts {
  readonly idleSats: bigint;
  /** Has lain idle for the settle time; null while nothing has. At most what is idle. */
  readonly settledSats: bigint | null;
  /** What the call costs at market prices, in sats. */
  readonly costSats: bigint;
  /** Deployed within the last 24 hours. */
  readonly deployedTodaySats: bigint;
}

export type DueDeployment =
  | { readonly amountSats: bigint }
  | { readonly reason: 'BELOW_THRESHOLD' | 'NOT_SETTLED' | 'DAILY_LIMIT' };

/** How much of a vault's idle funds is due, or why nothing is. */
export function dueDeployment(
  { idleSats, settledSats: settled, costSats, deployedTodaySats }: DeploymentFacts,
  { thresholdSats, costFactor, maxSatsPerCall, maxSatsPerDay }: DueDeploymentLimits,
): DueDeployment {
  const least = larger(1n, larger(thresholdSats, costFactor * costSats));
  if (smaller(idleSats, maxSatsPerCall) < least) return { reason: 'BELOW_THRESHOLD' };
  if (settled === null || settled < least) return { reason: 'NOT_SETTLED' };
  const amountSats = smaller(smaller(settled, maxSatsPerCall), maxSatsPerDay - deployedTodaySats);
  return amountSats < least ? { reason: 'DAILY_LIMIT' } : { amountSats };
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
