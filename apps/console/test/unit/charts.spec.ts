import { describe, expect, it } from '@jest/globals';
import { chartsOf } from '../../src/charts.js';
import type { Series } from '../../src/service.js';

const bucket = (at: number, changes: Partial<Series['buckets'][number]> = {}) => ({
  at,
  accepted: 0,
  succeeded: 0,
  reverted: 0,
  unsent: 0,
  latencyMs: null,
  queue: 0,
  ...changes,
});

const series = (changes: Partial<Series> = {}): Series => ({
  window: '1h',
  bucketSeconds: 60,
  since: 60,
  complete: true,
  buckets: [bucket(60), bucket(120)],
  pools: [],
  ...changes,
});

const chartOf = (title: string, of: Series) => {
  const chart = chartsOf(of).find((each) => each.title === title);
  if (chart === undefined) throw new Error(`there is no chart ${title}`);
  const lines = Object.fromEntries(chart.lines.map(({ name, values }) => [name, values]));
  return { ...chart, lines };
};

const strk = (milli: number): string => `${BigInt(milli) * 10n ** 15n}`;

describe('charts', () => {
  it('each line of the console’s charts has one value for each time bucket', () => {
    const charts = chartsOf(series());
    expect(charts.map(({ title }) => title)).toEqual([
      'Earned against paid',
      'Latency',
      'Queue',
      'Ended',
    ]);
    for (const { at, lines } of charts) {
      expect(at).toEqual([60, 120]);
      for (const { values } of lines) expect(values).toHaveLength(2);
    }
  });

  it('a chart sums the earnings and costs of all pools, for each time bucket and in total', () => {
    const { lines, sum } = chartOf(
      'Earned against paid',
      series({
        pools: [
          { key: 'one', earnedFri: [strk(1_500), '0'], paidFri: [strk(250), strk(500)] },
          { key: 'two', earnedFri: [strk(500), strk(0)], paidFri: ['0', strk(2_000)] },
        ],
      }),
    );
    expect(lines).toEqual({ Earned: [2, 0], Paid: [0.25, 2.5] });
    expect(sum).toBe('Earned 2.000, paid 2.750: −0.750 STRK');
  });

  it('a chart sums amounts exactly even if they exceed the precision of a JavaScript number', () => {
    const fri = '9007199254740993000000000000000000000';
    const pools = [{ key: 'one', earnedFri: [fri, '0'], paidFri: [fri, '0'] }];
    expect(chartOf('Earned against paid', series({ pools })).sum).toMatch(/: 0 STRK$/);
  });

  it('the latency chart has a gap for a time bucket without executions', () => {
    const latencyMs = { p50: 800, p95: 2_450 };
    const { lines, sum } = chartOf(
      'Latency',
      series({ buckets: [bucket(60, { latencyMs }), bucket(120)] }),
    );
    expect(lines).toEqual({ '95 of 100': [2.45, null], Half: [0.8, null] });
    expect(sum).toBe('At most 2.5 s');
    expect(chartOf('Latency', series()).sum).toBe('Nothing was executed');
  });

  it('the charts’ summaries state the longest queue, and count reverted and unsent submissions as failed', () => {
    const of = series({
      buckets: [
        bucket(60, { queue: 3, succeeded: 2, reverted: 1 }),
        bucket(120, { queue: 1, succeeded: 1, unsent: 4 }),
      ],
    });
    expect(chartOf('Queue', of)).toMatchObject({
      lines: { 'Under way': [3, 1] },
      sum: 'At most 3 in progress',
    });
    expect(chartOf('Ended', of)).toMatchObject({
      lines: { Succeeded: [2, 1], Failed: [1, 4] },
      sum: '3 succeeded, 1 reverted, 4 not sent',
    });
  });
});
