import type { Clock } from '@sotto/kernel';
import type { Metrics } from '@sotto/telemetry';

/** Time for which a claimed delivery may lack evidence. */
const UNCONFIRMED_SECONDS = 3_600;

const LEFT_OUT = ['token', 'leg', 'step', 'hash'] as const;

export interface BridgeSources {
  readonly counters: { count(event: (typeof LEFT_OUT)[number] | 'access_denied'): number };
  readonly transfers: { countUnconfirmed(sinceSeconds: number): Promise<number> };
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Exposes claims of the bridge without evidence, its refusals and its malformed elements. */
export function bridgeMetrics(
  metrics: Metrics,
  { counters, transfers, clock }: BridgeSources,
): void {
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
  metrics.counted(
    {
      name: 'sotto_bridge_access_denied_total',
      help: 'Requests that the bridge answered with 401 or 403.',
      labels: {},
    },
    () => [{ labels: {}, value: counters.count('access_denied') }],
  );
  metrics.counted<{ element: string[] }>(
    {
      name: 'sotto_bridge_left_out_total',
      help: 'Malformed elements of the bridge’s answers that were left out.',
      labels: { element: [...LEFT_OUT] },
    },
    () => LEFT_OUT.map((element) => ({ labels: { element }, value: counters.count(element) })),
  );
}
