import { NODE_DISAGREEMENTS } from '@sotto/facts';
import type { NodeDirectory, NodeStatus } from '@sotto/relayer-core';
import type { Metrics, Sample } from '@sotto/telemetry';

type ByNode = { node: string[] };

/** Exposes the state of each node, by its name in the settings. */
export function nodeMetrics(metrics: Metrics, nodes: NodeDirectory): void {
  const labels: ByNode = { node: nodes.status().map(({ name }) => name) };
  const gauge = (
    name: `sotto_node_${string}`,
    help: string,
    valueOf: (status: NodeStatus) => number | null,
  ): void => {
    metrics.gauge<ByNode>({ name, help, labels }, async () => samplesOf(nodes, valueOf));
  };
  gauge(
    'sotto_node_up',
    '1 for a node that answers and serves our chain, 0 for another.',
    ({ up }) => Number(up),
  );
  gauge(
    'sotto_node_score',
    'From 0, not to be used, to 1: how well a node answers.',
    ({ score }) => score,
  );
  gauge('sotto_node_in_use', '1 for the node that reads and first sends go to.', ({ isInUse }) =>
    Number(isInUse),
  );
  gauge(
    'sotto_node_head_block',
    'Newest accepted block that a node has shown.',
    ({ headBlock }) => headBlock,
  );
  metrics.counted<ByNode & { what: string[] }>(
    {
      name: 'sotto_node_disagreements_total',
      help: 'How often a node began to differ from the others: its head is behind, or it has another block or another nonce at a height that all have.',
      labels: { ...labels, what: [...NODE_DISAGREEMENTS] },
    },
    () =>
      nodes.status().flatMap(({ name: node, disagreementsBegun }) =>
        NODE_DISAGREEMENTS.map((what) => ({
          labels: { node, what },
          value: disagreementsBegun[what],
        })),
      ),
  );
}

function samplesOf(
  nodes: NodeDirectory,
  valueOf: (status: NodeStatus) => number | null,
): Sample<ByNode>[] {
  return nodes.status().flatMap((status) => {
    const value = valueOf(status);
    return value === null ? [] : [{ labels: { node: status.name }, value }];
  });
}
