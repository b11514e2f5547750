import { describe, expect, it } from '@jest/globals';
import { buildMetrics, storeMetrics } from '@sotto/adapter-observability';
import { Metrics } from '@sotto/telemetry';

describe('metrics of the store and of the build', () => {
  it('O5 the metrics contain the bytes of the database and of the free disk space, but not of single tables', async () => {
    const metrics = new Metrics(false);
    storeMetrics(metrics, {
      size: async () => [
        { kind: 'database', bytes: 4_096 },
        { kind: 'disk_free', bytes: 9 },
        { kind: 'table_attempts', bytes: 1 },
      ],
    });
    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('sotto_'));
    expect(lines).toEqual([
      'sotto_store_bytes{kind="database"} 4096',
      'sotto_store_bytes{kind="disk_free"} 9',
    ]);
  });

  it('O2 the metrics contain version, commit and Node version of the build as labels', async () => {
    const metrics = new Metrics(false);
    buildMetrics(metrics, { version: '1.2.3', commit: 'abcdef1', node: '24.0.0' });
    expect(await metrics.text()).toContain(
      'sotto_build_info{version="1.2.3",commit="abcdef1",node="24.0.0"} 1',
    );
  });
});
