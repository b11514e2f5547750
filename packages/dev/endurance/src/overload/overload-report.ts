import { describeMachine, table } from '@sotto/load-kit/report';
import {
  auditTable,
  counts,
  list,
  mebibytes,
  requestTable,
  verdictOfAudit,
} from '../report/tables.js';
import type { RequestSummary } from '../measure/requests.js';
import { overloadFindings, type OverloadReport } from './overload.js';

/** Renders the report as Markdown. */
export function renderOverload(report: OverloadReport): string {
  const {
    seconds,
    factor,
    readsPerSecond,
    measureSeconds,
    room,
    audit,
    residentMemoryBytes: memory,
  } = report;
  const found = overloadFindings(report);
  return `# Overload

The built service over SQLite with two lanes gets ${report.offeredPerSecond.toFixed(1)} withdrawals a second for ${seconds} s, ${factor} times its capacity. The capacity of ${report.capacityPerSecond.toFixed(1)} a second was measured before, with callers that wait for their responses. Each caller has a separate address; the service admits ${room} withdrawals at a time. In addition, ${readsPerSecond} reads a second arrive.
Chain, service and load share ${describeMachine(report.machine)}, so the capacity is that of all three together. Repeat with \`npm run overload -- --seconds ${seconds} --factor ${factor} --measure ${measureSeconds} --room ${room} --write\`.

${verdictOfAudit(audit)} ${found.length === 0 ? 'Every rejected request got a `Retry-After`.' : `\n\n${list(found)}`}

${auditTable(audit)}

All attempts were settled ${report.settledAfterSeconds.toFixed(1)} s after the last response.

## Withdrawals

${requestTable({ withdrawal: report.withdrawals })}

Rejected without a \`Retry-After\`: ${report.withoutRetryAfter}. Warnings and errors in the service’s log: ${counts(report.log)}.

## Reads during the load

${requestTable({ ...named(report.unloadedReads, 'alone'), ...named(report.loadedReads, 'under overload') })}

## The process

${table(
  ['', 'Before', 'Maximum', 'After settlement'],
  [
    [
      'Resident memory (MiB)',
      mebibytes(memory.before),
      mebibytes(memory.most),
      mebibytes(memory.after),
    ],
  ],
)}

Highest event-loop delay (p99 of one second): ${(report.eventLoopDelayP99Seconds * 1_000).toFixed(1)} ms.
`;
}

function named(
  reads: Readonly<Record<string, RequestSummary>>,
  how: string,
): Readonly<Record<string, RequestSummary>> {
  return Object.fromEntries(
    Object.entries(reads).map(([read, summary]) => [`${read}, ${how}`, summary]),
  );
}
