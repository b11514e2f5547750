import type { LaneRole, Ledger } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';
import { auditMetrics, type AuditSources } from './audit-metrics.js';
import { laneMetrics, type LaneSources } from './lane-metrics.js';
import { ledgerMetrics } from './ledger-metrics.js';

/**
 * Sources of the metrics of lanes, ledger, audit and queues. The sources never query the node. A
 * scrape waits only for a limited time for the store.
 */
export interface SubmissionSources extends AuditSources, LaneSources {
  readonly ledger: Pick<Ledger, 'countWaiting'>;
}

/**
 * Exposes the state of the submission machine at every scrape. Accounts are labelled by role and
 * position in the configuration, never by address.
 */
export function submissionMetrics(metrics: Metrics, sources: SubmissionSources): void {
  laneMetrics(metrics, sources);
  ledgerMetrics(metrics, sources.engine);
  auditMetrics(metrics, sources);
  queueMetrics(metrics, sources);
}

/**
 * Exposes the length of the queue of each role for which this process has an account. Queues of
 * roles without an account in this process are not exposed.
 */
function queueMetrics(metrics: Metrics, { engine, ledger }: SubmissionSources): void {
  const roles: readonly LaneRole[] = [...new Set(engine.status().lanes.map(({ role }) => role))];
  metrics.gauge<{ role: string[] }>(
    {
      name: 'sotto_queue_length',
      help: 'Submissions that wait for an account, of all instances.',
      labels: { role: [...roles] },
    },
    () =>
      Promise.all(
        roles.map(async (role) => ({ labels: { role }, value: await ledger.countWaiting(role) })),
      ),
  );
}
