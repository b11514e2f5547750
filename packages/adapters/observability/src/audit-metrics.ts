import type { Clock } from '@sotto/kernel';
import { FINDING_CODES, type Auditor } from '@sotto/submission-core';
import type { Metrics } from '@sotto/telemetry';

export interface AuditSources {
  readonly auditor: Pick<Auditor, 'status'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/**
 * Exposes the auditor's comparison of ledger and chain. No series names a transaction or an
 * account.
 */
export function auditMetrics(metrics: Metrics, { auditor, clock }: AuditSources): void {
  metrics.gauge<{ code: string[] }>(
    {
      name: 'sotto_audit_findings',
      help: 'Contradictions between ledger and chain that a second read has confirmed, transactions of others, and nonces that are not settled yet.',
      labels: { code: [...FINDING_CODES] },
    },
    async () => {
      const { findings } = auditor.status();
      return FINDING_CODES.map((code) => ({ labels: { code }, value: findings[code] }));
    },
  );
  metrics.gauge(
    {
      name: 'sotto_audit_behind_blocks',
      help: 'Blocks that are deep enough and not audited yet.',
      labels: {},
    },
    async () => {
      const { behindBlocks } = auditor.status();
      return behindBlocks === null ? [] : [{ labels: {}, value: behindBlocks }];
    },
  );
  metrics.gauge(
    {
      name: 'sotto_audit_age_seconds',
      help: 'How long ago an audit last read all that it wanted; without a value before the first time.',
      labels: {},
    },
    async () => {
      const { completedAtMs } = auditor.status();
      return completedAtMs === null
        ? []
        : [{ labels: {}, value: (clock.monotonicMs() - completedAtMs) / 1_000 }];
    },
  );
  metrics.counted(
    {
      name: 'sotto_audit_unrepeated_total',
      help: 'Contradictions of a first read that no second read has repeated.',
      labels: {},
    },
    () => [{ labels: {}, value: auditor.status().unrepeated }],
  );
}
