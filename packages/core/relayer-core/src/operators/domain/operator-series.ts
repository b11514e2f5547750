import { earned, type LiveEntry, type MoneyEntry } from '../../circuit-breaker/domain/money.js';
import { decimalsOf, type RelayedPool } from '../../pools/domain/pool.js';

/** Division of a period into buckets of equal duration. */
export interface SeriesSpan {
  readonly bucketMs: number;
  readonly buckets: number;
}

interface SeriesBucket {
  readonly atMs: number;
  readonly accepted: number;
  readonly succeeded: number;
  readonly reverted: number;
  /**
   * Number of attempts that were refused or expired, so that none of their transactions is on
   * chain.
   */
  readonly unsent: number;
  /**
   * Percentiles of the time from acceptance to outcome, in milliseconds. Only executed attempts are
   * included.
   */
  readonly latencyMs: { readonly p50: number; readonly p95: number } | null;
  /** Number of attempts that had not ended at the end of the bucket. */
  readonly queue: number;
}

export interface OperatorSeries extends SeriesSpan {
  readonly sinceMs: number;
  /** False if more entries ended in the period than the maximum that was read. */
  readonly isComplete: boolean;
  readonly series: readonly SeriesBucket[];
  /** Earned and paid amounts of each pool in fri, by bucket. */
  readonly pools: readonly {
    readonly pool: RelayedPool;
    readonly earnedFri: readonly bigint[];
    readonly paidFri: readonly bigint[];
  }[];
}

interface Counted {
  accepted: number;
  succeeded: number;
  reverted: number;
  unsent: number;
  ended: number;
  readonly latenciesMs: number[];
}

/**
 * Computes the series from attempts that have ended and attempts that have not.
 * @param ended all attempts that ended since the first bucket began
 * @param live all attempts that have not ended
 */
export function seriesOf(
  { sinceMs, bucketMs, buckets }: SeriesSpan & { readonly sinceMs: number },
  ended: readonly MoneyEntry[],
  live: readonly LiveEntry[],
  pools: readonly RelayedPool[],
): Omit<OperatorSeries, 'isComplete'> {
  // The clocks of instances differ, so an end time may be in the future of this process's clock.
  // Such an entry belongs to the last bucket.
  const bucketOf = (ms: number): number =>
    Math.min(Math.floor((ms - sinceMs) / bucketMs), buckets - 1);
  const counted = Array.from({ length: buckets }, (): Counted => ({
    accepted: 0,
    succeeded: 0,
    reverted: 0,
    unsent: 0,
    ended: 0,
    latenciesMs: [],
  }));
  const over = new Set(ended.map(nameOf));
  const underWay = live.filter((entry) => !over.has(nameOf(entry)));
  // Every attempt that was accepted in the period has either not ended or ended in the period.
  const all = [...ended, ...underWay];
  for (const { acceptedAtMs } of all) {
    const bucket = counted[bucketOf(acceptedAtMs)];
    if (bucket !== undefined) bucket.accepted += 1;
  }
  for (const { state, acceptedAtMs, endedAtMs } of ended) {
    const bucket = counted[bucketOf(endedAtMs)];
    if (bucket === undefined) continue;
    bucket.ended += 1;
    if (state === 'refused' || state === 'expired') bucket.unsent += 1;
    else {
      bucket[state] += 1;
      bucket.latenciesMs.push(Math.max(0, endedAtMs - acceptedAtMs));
    }
  }
  let queue = all.filter(({ acceptedAtMs }) => acceptedAtMs < sinceMs).length;
  const series = counted.map(({ latenciesMs, ended: gone, ...counts }, index) => {
    queue += counts.accepted - gone;
    return {
      atMs: sinceMs + index * bucketMs,
      ...counts,
      latencyMs: latencyOf(latenciesMs),
      queue,
    };
  });
  return { sinceMs, bucketMs, buckets, series, pools: pools.map(moneyOf) };

  function moneyOf(pool: RelayedPool) {
    const earnedFri = counted.map(() => 0n);
    const paidFri = counted.map(() => 0n);
    for (const entry of ended) {
      const index = bucketOf(entry.endedAtMs);
      if (entry.subject !== pool.address || index < 0) continue;
      const { fri } = earned(entry, decimalsOf(pool, entry.terms?.feeToken));
      earnedFri[index] = (earnedFri[index] ?? 0n) + fri;
      paidFri[index] = (paidFri[index] ?? 0n) + entry.gasPaidFri;
    }
    return { pool, earnedFri, paidFri };
  }
}

/**
 * Returns a unique name of the attempt. The name is unique because attempts of a key begin one
 * after another.
 */
const nameOf = ({ key, acceptedAtMs }: Pick<LiveEntry, 'key' | 'acceptedAtMs'>): string =>
  `${acceptedAtMs}|${key}`;

function latencyOf(latenciesMs: readonly number[]): SeriesBucket['latencyMs'] {
  if (latenciesMs.length === 0) return null;
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
