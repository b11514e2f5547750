import { describe, expect, it } from '@jest/globals';
import { priceMetrics, verdictMetrics } from '@sotto/adapter-observability';
import type { PriceSourceStatus } from '@sotto/market-core';
import type { Verdict } from '@sotto/relayer-core';
import { operations } from '@sotto/relayer-core/testing';
import { LedgerUnavailable } from '@sotto/submission-core';
import { Metrics } from '@sotto/telemetry';

const linesOf = async (metrics: Metrics, name: string): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

const exposed = (verdict: Verdict): Metrics => {
  const metrics = new Metrics(false);
  verdictMetrics(metrics, {
    verdict: { current: () => verdict },
    head: { status: () => null },
    pools: [{ key: 'sentinel_1x' }],
  });
  return metrics;
};

describe('metrics of the verdict', () => {
  it('O3 the metrics contain warnings separately from reasons that block withdrawals', async () => {
    const [pool] = operations.verdict.pools;
    if (pool === undefined) throw new Error('there is a pool');
    const open = {
      ...operations.verdict,
      reasons: [],
      pools: [{ ...pool, canWithdraw: true, reasons: [] }],
    };
    const metrics = exposed(open);
    expect(await linesOf(metrics, 'sotto_warning{')).toEqual([
      'sotto_warning{reason="NODES_DISAGREE"} 1',
    ]);
    expect(await linesOf(metrics, 'sotto_withdrawal_blocked{')).toEqual([]);
    expect(await linesOf(metrics, 'sotto_withdrawal_possible{')).toEqual([
      'sotto_withdrawal_possible{pool="sentinel_1x"} 1',
    ]);
  });

  it('the metrics contain reasons that block withdrawals, and no samples before the first check', async () => {
    expect(await linesOf(exposed(operations.verdict), 'sotto_withdrawal_blocked{')).toContain(
      'sotto_withdrawal_blocked{pool="sentinel_1x",reason="STORE_NOT_WRITABLE"} 1',
    );
    expect(await linesOf(exposed({ ...operations.verdict, asOfMs: 0 }), 'sotto_warning{')).toEqual(
      [],
    );
  });
});

describe('metrics of price sources', () => {
  it('O2 the metrics show whether each price source is usable, and the age of its last prices', async () => {
    const metrics = new Metrics(false);
    let sources: readonly PriceSourceStatus[] = [];
    priceMetrics(
      metrics,
      { sources: () => sources },
      { sources: ['oracle', 'exchange'], assets: ['STRK'] },
    );
    expect(await linesOf(metrics, 'sotto_price')).toEqual([]);
    sources = [
      { source: 'oracle', isUsable: true, failure: null, ages: [{ asset: 'STRK', ageMs: 1_500 }] },
      { source: 'exchange', isUsable: false, failure: new LedgerUnavailable(), ages: [] },
    ];
    expect(await linesOf(metrics, 'sotto_price_source_up{')).toEqual([
      'sotto_price_source_up{source="oracle"} 1',
      'sotto_price_source_up{source="exchange"} 0',
    ]);
    expect(await linesOf(metrics, 'sotto_price_age_seconds{')).toEqual([
      'sotto_price_age_seconds{source="oracle",asset="STRK"} 1.5',
    ]);
  });
});
