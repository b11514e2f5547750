import { PUSHED_KINDS, type ChainEvents } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

type ByNode = { node: string[] };

/**
 * Exposes the push connections of nodes, by their names in the settings. Exposes nothing if no node
 * is configured to push.
 */
export function pushMetrics(metrics: Metrics, events: Pick<ChainEvents, 'status'>): void {
  const labels: ByNode = { node: events.status().map(({ node }) => node) };
  metrics.gauge<ByNode>(
    {
      name: 'sotto_push_connected',
      help: '1 for a node that pushes changes, 0 for one that is configured to push and does not: the chain is polled at intervals.',
      labels,
    },
    async () =>
      events
        .status()
        .map(({ node, isConnected }) => ({ labels: { node }, value: Number(isConnected) })),
  );
  metrics.counted<ByNode & { kind: string[] }>(
    {
      name: 'sotto_push_messages_total',
      help: 'Messages that a node has pushed, by kind; other counts the messages that were not understood.',
      labels: { ...labels, kind: [...PUSHED_KINDS] },
    },
    () =>
      events
        .status()
        .flatMap(({ node, messages }) =>
          PUSHED_KINDS.map((kind) => ({ labels: { node, kind }, value: messages[kind] })),
        ),
  );
}
