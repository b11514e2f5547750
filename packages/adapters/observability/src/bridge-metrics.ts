import type { Clock } from '@sotto/kernel';
import type { Metrics } from '@sotto/telemetry';

/**
 * Time in seconds. If the bridge reports a delivery without evidence for longer than this time, the
 * delivery is counted.
 */
const UNCONFIRMED_SECONDS = 3_600;

export interface BridgeSources {
  readonly transfers: { countUnconfirmed(sinceSeconds: number): Promise<number> };
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Exposes the number of deliveries that the bridge has reported without evidence. */
export function bridgeMetrics(metrics: Metrics, { transfers, clock }: BridgeSources): void {
  metrics.gauge(
    {
      name: 'sotto_bridge_unconfirmed_transfers',
      help: 'Bridge transfers whose delivery has been claimed without evidence for an hour.',
      labels: {},
    },
    async () => {
      const sinceSeconds = Math.floor(clock.nowMs() / 1_000) - UNCONFIRMED_SECONDS;
      return [{ labels: {}, value: await transfers.countUnconfirmed(sinceSeconds) }];
    },
  );
}
