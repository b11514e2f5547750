import { DomainError, silentLogger, systemClock, type Logger } from '@sotto/kernel';
import { auditParts } from '@sotto/relayer/operation';
import { Auditor, DEFAULT_AUDIT_SETTINGS, type AuditorDependencies } from '@sotto/submission-core';
import { causeOf } from '../cause.js';
import type { AuditOptions } from './audit-options.js';
import { reportOf, type AuditReport } from './audit-report.js';

/** Number of consecutive audit rounds whose reads failed, after which the audit ends. */
const MOST_FAILURES = 3;
/** Number of consecutive audit rounds without progress, after which the audit ends. */
const MOST_IDLE_ROUNDS = 60;
const BETWEEN_ROUNDS_MS = 1_000;

type AuditRun = Pick<AuditOptions, 'start' | 'depth' | 'confirmAfterMs'> & {
  readonly site: Pick<AuditOptions['site'], 'accounts' | 'calls'>;
};

/**
 * Opens ledger and node, audits until every contradiction was read twice, then closes both. Rejects
 * if the ledger can't be opened.
 */
export async function auditSite(
  options: AuditOptions,
  progress: (text: string) => void,
): Promise<AuditReport> {
  const parts = auditParts(options.site);
  try {
    const opened = await parts.openStore();
    try {
      const { ledger, audit: store } = opened;
      const sources = {
        history: parts.history(),
        reader: parts.reader(),
        store,
        ledger,
        clock: systemClock,
      };
      return await runAudit(sources, options, progress);
    } finally {
      await opened.close();
    }
  } finally {
    parts.close();
  }
}

/**
 * Runs the audit until all blocks are covered, reads fail repeatedly, or no progress is made. The
 * audit pauses no lane, even if it finds contradictions.
 */
export async function runAudit(
  { ledger, clock, ...sources }: Omit<AuditorDependencies, 'logger' | 'calls'>,
  { site, start, depth, confirmAfterMs }: AuditRun,
  progress: (text: string) => void,
): Promise<AuditReport> {
  const failure = new LastFailure();
  const auditor = new Auditor(
    {
      ...sources,
      ledger: { state: () => ledger.state(), pauseLane: async () => false },
      calls: site.calls,
      clock,
      logger: failure.logger,
    },
    {
      ...DEFAULT_AUDIT_SETTINGS,
      accounts: site.accounts,
      start,
      depth,
      confirmAfterMs,
      settleWithinMs: confirmAfterMs,
    },
  );
  let failures = 0;
  let idle = 0;
  let before = '';
  for (;;) {
    await auditor.round();
    const { problem, behindBlocks, isAtLastEnd, suspects, lastBlock } = auditor.status();
    if (problem === null && behindBlocks === 0 && isAtLastEnd && suspects === 0)
      return reportOf(auditor.status(), auditor.findings(), null);
    failures = problem === null ? 0 : failures + 1;
    const now = `${lastBlock} ${behindBlocks} ${suspects}`;
    idle = now === before ? idle + 1 : 0;
    before = now;
    if (
      failures >= MOST_FAILURES ||
      idle >= MOST_IDLE_ROUNDS + confirmAfterMs / BETWEEN_ROUNDS_MS
    ) {
      return reportOf(
        auditor.status(),
        auditor.findings(),
        failure.text ?? problem ?? 'no progress',
      );
    }
    if (behindBlocks !== null && behindBlocks > 0) progress(`${behindBlocks} blocks to read`);
    await clock.sleep(BETWEEN_ROUNDS_MS);
  }
}

/** Logger that stores the auditor's last read failure for the report. */
class LastFailure {
  text: string | null = null;

  readonly logger: Logger = {
    ...silentLogger,
    warn: ({ error }) => this.#note(error),
    error: ({ error }) => this.#note(error),
  };

  #note(error: unknown): void {
    if (error instanceof DomainError) this.text = `${error.code}: ${error.message}`;
    // Messages of foreign errors may quote an address with a key, or a password.
    else if (error instanceof Error) this.text = causeOf(error);
  }
}
