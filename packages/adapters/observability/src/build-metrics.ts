import type { Metrics } from '@sotto/telemetry';

/** What runs. */
export interface Build {
  readonly version: string;
  /** `unknown` where none was named when it was built. */
  readonly commit: string;
  /** Version of Node. */
  readonly node: string;
}

/** Always 1: what runs is in the labels. */
export function buildMetrics(metrics: Metrics, build: Build): void {
  const { version, commit, node } = build;
  metrics.gauge<{ version: string[]; commit: string[]; node: string[] }>(
    {
      name: 'sotto_build_info',
      help: '1; version, commit and Node version of what runs are its labels.',
      labels: { version: [version], commit: [commit], node: [node] },
    },
    async () => [{ labels: { version, commit, node }, value: 1 }],
  );
}
