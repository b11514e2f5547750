import type { Metrics } from '@sotto/telemetry';

/** Version, commit and Node version of the running process. */
export interface Build {
  readonly version: string;
  /** Commit of the build; `unknown` if the build named no commit. */
  readonly commit: string;
  /** Node version of the process. */
  readonly node: string;
}

/** Exposes a gauge that is always 1 and has the build in its labels. */
export function buildMetrics(metrics: Metrics, build: Build): void {
  const { version, commit, node } = build;
  metrics.gauge<{ version: string[]; commit: string[]; node: string[] }>(
    {
      name: 'sotto_build_info',
      help: 'Always 1; the labels are the version, commit and Node version of the running process.',
      labels: { version: [version], commit: [commit], node: [node] },
    },
    async () => [{ labels: { version, commit, node }, value: 1 }],
  );
}
