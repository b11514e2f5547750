/** Observed idle balance of a vault at one block. */
export interface Sighting {
  readonly sats: bigint;
  /** Timestamp of the block, in Unix seconds. */
  readonly timestamp: number;
}

export interface SightingLimits {
  readonly settleSeconds: number;
  /**
   * Maximum time between two consecutive observations of a balance, in seconds. If the time is
   * longer, the balance in between is unknown.
   */
  readonly longestGapSeconds: number;
}

/**
 * Adds an observation to the observations of a vault, which are ordered from old to new. A lower
 * balance drops all earlier observations. A gap also drops all earlier observations, because the
 * balance within the gap is unknown. An observation of the same or an older block is ignored. If
 * several observations are at least as old as the settle time, only the newest of these is kept.
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

/**
 * Returns the amount that has been idle for the settle time at the newest observation, in sats;
 * null if no amount has been idle that long.
 */
export function settledSats(seen: readonly Sighting[], settleSeconds: number): bigint | null {
  const [oldest] = seen;
  const newest = seen.at(-1);
  if (oldest === undefined || newest === undefined) return null;
  return newest.timestamp - oldest.timestamp >= settleSeconds ? oldest.sats : null;
}

export interface DueDeploymentLimits {
  /** Minimum amount to deploy, in sats of WBTC. Suggested value: 100,000. */
  readonly thresholdSats: bigint;
  /** Minimum ratio of a deployment's amount to the cost of its call. Suggested value: 20. */
  readonly costFactor: bigint;
  /** Maximum amount per call, in sats. Suggested value: 100,000,000. */
  readonly maxSatsPerCall: bigint;
  /** Maximum amount per vault within 24 hours, in sats. Suggested value: 500,000,000. */
  readonly maxSatsPerDay: bigint;
}

/** Balances of a vault at one block, and its deployments within the last 24 hours. */
export interface DeploymentFacts {
  readonly idleSats: bigint;
  /**
   * Amount of the idle balance that has been idle for the settle time, in sats; null if no amount
   * has been idle that long.
   */
  readonly settledSats: bigint | null;
  /** Cost of the call at market prices, in sats. */
  readonly costSats: bigint;
  /** Amount deployed within the last 24 hours, in sats. */
  readonly deployedTodaySats: bigint;
}

export type DueDeployment =
  | { readonly amountSats: bigint }
  | { readonly reason: 'BELOW_THRESHOLD' | 'NOT_SETTLED' | 'DAILY_LIMIT' };

/**
 * Returns the amount of a vault's idle funds that is due for deployment, or the reason why no
 * amount is due.
 */
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
