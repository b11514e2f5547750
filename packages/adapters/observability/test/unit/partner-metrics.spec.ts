import { describe, expect, it } from '@jest/globals';
import { bridgeMetrics, partnerMetrics } from '@sotto/adapter-observability';
import { ManualClock } from '@sotto/kernel/testing';
import { Metrics } from '@sotto/telemetry';

const linesOf = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith('sotto_'));

describe('metrics of partners', () => {
  it('T17: the metrics contain the number of unusable elements for each partner', async () => {
    const metrics = new Metrics(false);
    partnerMetrics(metrics, [
      { partner: 'bridge', leftOut: 3, rejectedWith: 401 },
      { partner: 'prices', leftOut: 0, rejectedWith: null },
    ]);
    expect(await linesOf(metrics)).toEqual([
      'sotto_partner_elements_left_out_total{partner="bridge"} 3',
      'sotto_partner_elements_left_out_total{partner="prices"} 0',
      'sotto_partner_key_rejected{partner="bridge"} 1',
      'sotto_partner_key_rejected{partner="prices"} 0',
    ]);
  });

  it('T17: the metrics count bridge transfers with a delivery without evidence for at least an hour', async () => {
    const metrics = new Metrics(false);
    const since: number[] = [];
    const countUnconfirmed = async (sinceSeconds: number): Promise<number> => {
      since.push(sinceSeconds);
      return 2;
    };
    const clock = new ManualClock(1_800_003_600_000);
    bridgeMetrics(metrics, { transfers: { countUnconfirmed }, clock });
    expect(await linesOf(metrics)).toEqual(['sotto_bridge_unconfirmed_transfers 2']);
    expect(since).toEqual([1_800_000_000]);
  });
});
