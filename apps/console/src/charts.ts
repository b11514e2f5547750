import type { Series } from './service.js';
import { strk } from './words.js';

/** A named line of a chart. */
interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  readonly title: string;
  readonly unit: string;
  /** Start time of each bucket (a section of the time axis), as Unix time in seconds. */
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  /** Summary of the chart in one sentence, for screen readers. */
  readonly sum: string;
}

const FRI_PER_STRK = 1e18;

const inStrk = (fri: bigint): number => Number(fri) / FRI_PER_STRK;

/** Returns the sum of an amount over all pools for each bucket, in fri. */
function summed(pools: Series['pools'], of: 'earnedFri' | 'paidFri', buckets: number): bigint[] {
  const sums = Array.from({ length: buckets }, () => 0n);
  for (const pool of pools)
    for (const [place, amount] of pool[of].entries())
      sums[place] = (sums[place] ?? 0n) + BigInt(amount);
  return sums;
}

const total = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n);

/** Converts the service's series to charts. */
export function chartsOf({ buckets, pools }: Series): readonly ChartData[] {
  const at = buckets.map((bucket) => bucket.at);
  const earned = summed(pools, 'earnedFri', buckets.length);
  const paid = summed(pools, 'paidFri', buckets.length);
  const slowest = Math.max(0, ...buckets.map(({ latencyMs }) => latencyMs?.p95 ?? 0));
  const longest = Math.max(0, ...buckets.map(({ queue }) => queue));
  const count = (of: 'succeeded' | 'reverted' | 'unsent'): number =>
    buckets.reduce((sum, bucket) => sum + bucket[of], 0);
  return [
    {
      title: 'Earned against paid',
      unit: 'STRK',
      at,
      lines: [
        { name: 'Earned', values: earned.map(inStrk) },
        { name: 'Paid', values: paid.map(inStrk) },
      ],
      sum: `Earned ${strk(total(earned))}, paid ${strk(total(paid))}: ${strk(total(earned) - total(paid))} STRK`,
    },
    {
      title: 'Latency',
      unit: 's',
      at,
      lines: [
        {
          name: '95 of 100',
          values: buckets.map(({ latencyMs }) => (latencyMs === null ? null : latencyMs.p95 / 1e3)),
        },
        {
          name: 'Half',
          values: buckets.map(({ latencyMs }) => (latencyMs === null ? null : latencyMs.p50 / 1e3)),
        },
      ],
      sum: slowest === 0 ? 'Nothing was executed' : `At most ${(slowest / 1e3).toFixed(1)} s`,
    },
    {
      title: 'Queue',
      unit: '',
      at,
      lines: [{ name: 'Under way', values: buckets.map(({ queue }) => queue) }],
      sum: `At most ${longest} in progress`,
    },
    {
      title: 'Ended',
      unit: '',
      at,
      lines: [
        { name: 'Succeeded', values: buckets.map(({ succeeded }) => succeeded) },
        { name: 'Failed', values: buckets.map(({ reverted, unsent }) => reverted + unsent) },
      ],
      sum: `${count('succeeded')} succeeded, ${count('reverted')} reverted, ${count('unsent')} not sent`,
    },
  ];
}
