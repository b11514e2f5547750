import perfHooks from 'node:perf_hooks';
import { describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../../src/index.js';

describe('Metrics', () => {
  it('the metrics contain counters, durations and gauges with their labels', async () => {
    const metrics = new Metrics(false);
    metrics
      .counter({ name: 'sotto_things_total', help: 'Things.', labels: { kind: ['good', 'bad'] } })
      .add({ kind: 'good' }, 2);
    metrics
      .duration({ name: 'sotto_things_seconds', help: 'Times.', labels: {} })
      .observe({}, 0.02);
    metrics.gauge({ name: 'sotto_open', help: 'Open.', labels: { lane: ['a', 'b'] } }, async () => [
      { labels: { lane: 'b' }, value: 3 },
    ]);
    const text = await metrics.text();
    expect(text).toContain('sotto_things_total{kind="good"} 2');
    expect(text).toContain('sotto_things_seconds_bucket{le="0.025"} 1');
    expect(text).toContain('sotto_things_seconds_bucket{le="0.01"} 0');
    expect(text).toContain('sotto_open{lane="b"} 3');
  });

  it('the metrics have no time series for a label value outside the allowed set', async () => {
    const metrics = new Metrics(false);
    const labels: { readonly code: string } = { code: 'error 0x1234: recipient is private' };
    metrics
      .counter<{ code: string[] }>({
        name: 'sotto_things_total',
        help: 'Things.',
        labels: { code: ['KNOWN'] },
      })
      .add(labels);
    const text = await metrics.text();
    expect(text).not.toContain('recipient');
    expect(text).toContain('sotto_things_total{code="other"} 1');
  });

  it('each read of the metrics samples the gauges again, and omits a gauge that fails', async () => {
    const metrics = new Metrics(false);
    const values = [1, 2];
    metrics.gauge({ name: 'sotto_moving', help: 'Moving.', labels: {} }, async () => [
      { labels: {}, value: values.shift() ?? 0 },
    ]);
    metrics.gauge({ name: 'sotto_broken', help: 'Broken.', labels: {} }, async () => {
      throw new Error('the store is unavailable');
    });
    expect(await metrics.text()).toContain('sotto_moving 1');
    const second = await metrics.text();
    expect(second).toContain('sotto_moving 2');
    expect(second).toContain('sotto_broken Nan');
  });

  it('the metrics contain the previous samples of a gauge that is too slow', async () => {
    const metrics = new Metrics(false, 20);
    let requested = 0;
    const waiting: ((value: number) => void)[] = [];
    metrics.gauge({ name: 'sotto_slow', help: 'Slow.', labels: { of: ['a'] } }, async () => {
      requested += 1;
      if (requested === 1) return [{ labels: { of: 'a' }, value: 1 }];
      const value = await new Promise<number>((resolve) => {
        waiting.push(resolve);
      });
      return [{ labels: { of: 'a' }, value }];
    });
    expect(await metrics.text()).toContain('sotto_slow{of="a"} 1');
    const both = await Promise.all([metrics.text(), metrics.text()]);
    for (const text of both) expect(text).toContain('sotto_slow{of="a"} 1');
    expect(requested).toBe(2);
    waiting[0]?.(7);
    await new Promise((resolve) => setImmediate(resolve));
    const reading = metrics.text();
    waiting[1]?.(8);
    expect(await reading).toContain('sotto_slow{of="a"} 8');
    expect(requested).toBe(3);
  });

  it('the metrics contain the value of a counter that another component stores', async () => {
    const metrics = new Metrics(false);
    let refused = 3;
    metrics.counted({ name: 'sotto_refused_total', help: 'Refused.', labels: {} }, () => [
      { labels: {}, value: refused },
    ]);
    expect(await metrics.text()).toContain(
      '# TYPE sotto_refused_total counter\nsotto_refused_total 3',
    );
    refused = 5;
    expect(await metrics.text()).toContain('sotto_refused_total 5');
  });

  it('the metrics include the metrics of the Node process unless these are disabled', async () => {
    expect(await new Metrics().text()).toContain('nodejs_eventloop_lag_seconds');
    expect(await new Metrics(false).text()).not.toContain('nodejs_');
  });

  it('the metrics sample the event loop ten times per second, because each sample wakes an idle process', async () => {
    const monitor = jest.spyOn(perfHooks, 'monitorEventLoopDelay');
    expect(await new Metrics().text()).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(monitor.mock.calls).toEqual([[{ resolution: 100 }]]);
    monitor.mockRestore();
  });
});
