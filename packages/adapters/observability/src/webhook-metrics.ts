import type { Metrics } from '@sotto/telemetry';
import {
  SEND_FAILURES,
  type DeliveryStore,
  type DeliveryCounters,
  type WebhookEndpoint,
} from '@sotto/webhook-core';

/** Sources of the metrics of webhooks: counters and rows. */
export interface WebhookSources {
  /** Counters of delivery results in this process. */
  readonly deliveries: Pick<DeliveryCounters, 'counts'>;
  /** Rows of messages of all processes on the store. */
  readonly store: Pick<DeliveryStore, 'count' | 'countUndelivered'>;
}

/**
 * Exposes the results of message deliveries to each endpoint, and the number of message rows of
 * each endpoint.
 */
export function webhookMetrics(
  metrics: Metrics,
  { deliveries, store }: WebhookSources,
  endpoints: readonly Pick<WebhookEndpoint, 'name'>[],
): void {
  if (endpoints.length === 0) return;
  const endpoint = endpoints.map(({ name }) => name);
  metrics.counted<{ endpoint: string[]; result: string[] }>(
    {
      name: 'sotto_webhook_deliveries_total',
      help: 'Tries of this process to deliver webhooks, by endpoint and result: DELIVERED, the cause of the failure, or DROPPED for messages that were abandoned after 24 hours.',
      labels: { endpoint, result: ['DELIVERED', 'DROPPED', ...SEND_FAILURES] },
    },
    () =>
      deliveries.counts().map(({ endpoint: of, result, count }) => ({
        labels: { endpoint: of, result },
        value: count,
      })),
  );
  metrics.gauge<{ endpoint: string[] }>(
    {
      name: 'sotto_webhook_queue',
      help: 'Submissions and alerts of which an endpoint has confirmed nothing yet, or has a message to confirm.',
      labels: { endpoint },
    },
    () =>
      Promise.all(
        endpoint.map(async (name) => ({
          labels: { endpoint: name },
          value: await store.countUndelivered(name),
        })),
      ),
  );
  metrics.gauge<{ endpoint: string[] }>(
    {
      name: 'sotto_webhook_rows',
      help: 'Submissions and alerts that an endpoint is, or may yet be, notified of, with those that wait to be final.',
      labels: { endpoint },
    },
    () =>
      Promise.all(
        endpoint.map(async (name) => ({
          labels: { endpoint: name },
          value: await store.count(name),
        })),
      ),
  );
}
