import { describeMachine, table } from '@sotto/load-kit/report';
import type { ProcessSample } from '../measure/process-metrics.js';
import {
  auditTable,
  counts,
  mebibytes,
  PAYS_TWICE,
  requestTable,
  verdictOfAudit,
} from '../report/tables.js';
import type { SoakReport } from './soak.js';

/** Maximum number of rows in the table that shows the course of a run. */
const COURSE_LINES = 12;

/** Renders the report as Markdown. */
export function renderSoak(report: SoakReport): string {
  const { minutes, withdrawalsPerSecond, readsPerSecond, sampleEverySeconds, samples, audit, log } =
    report;
  return `# Soak

${minutes} minutes of ${withdrawalsPerSecond} withdrawals and ${readsPerSecond} reads a second, on the built service over SQLite with two lanes and on the sandbox’s chain, each in a separate process.
${PAYS_TWICE} Measured on ${describeMachine(report.machine)}; repeat with \`npm run soak -- --minutes ${minutes} --rate ${withdrawalsPerSecond} --reads ${readsPerSecond} --write\`.

${verdictOfAudit(audit)}

${auditTable(audit)}

All attempts were settled ${report.settledAfterSeconds.toFixed(1)} s after the last response. The ledger has ${mebibytes(report.ledgerBytes)} MiB.

## Responses

${requestTable({ withdrawal: report.withdrawals, ...report.reads })}

Warnings and errors in the service’s log: ${counts(log)}.

## The process

Sampled by another process every ${sampleEverySeconds} s, ${samples.length} times${report.missedSamples === 0 ? '' : `; ${report.missedSamples} samples got no response`}.

${table(
  ['', 'First', 'Median of 2nd quarter', 'Median of last quarter', 'Maximum', 'After settlement'],
  [
    seriesRow(
      'Resident memory (MiB)',
      samples,
      ({ residentMemoryBytes }) => residentMemoryBytes / 2 ** 20,
    ),
    seriesRow('Heap in use (MiB)', samples, ({ heapUsedBytes }) => heapUsedBytes / 2 ** 20),
    seriesRow('Handles', samples, ({ activeHandles }) => activeHandles),
    seriesRow(
      'Event-loop delay p99 (ms)',
      samples,
      ({ eventLoopDelayP99Seconds }) => eventLoopDelayP99Seconds * 1_000,
    ),
  ],
)}

## Course of the run

${table(['Minute', 'Resident (MiB)', 'Heap (MiB)', 'Handles', 'Event-loop delay p99 (ms)', 'Processor (of one core)'], courseOf(samples))}
`;
}

function seriesRow(
  name: string,
  samples: readonly ProcessSample[],
  of: (sample: ProcessSample) => number,
): readonly string[] {
  const all = samples.map(of);
  const quarter = Math.floor(all.length / 4);
  const values = [
    all[0] ?? 0,
    medianOf(all.slice(quarter, 2 * quarter)),
    // Exclude the last sample, because it was measured after the load had ended.
    medianOf(all.slice(-1 - quarter, -1)),
    all.reduce((most, value) => Math.max(most, value), 0),
    all.at(-1) ?? 0,
  ];
  return [name, ...values.map((value) => value.toFixed(1))];
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Renders every n-th sample as a row, with the CPU time used since the previous row. */
function courseOf(samples: readonly ProcessSample[]): readonly (readonly string[])[] {
  const step = Math.max(1, Math.ceil((samples.length - 1) / COURSE_LINES));
  const lines = samples.filter((_, index) => index > 0 && index % step === 0);
  return lines.map((sample, index) => {
    const before = lines[index - 1] ?? samples[0] ?? sample;
    const share =
      (sample.cpuSeconds - before.cpuSeconds) / Math.max(1e-9, sample.atSeconds - before.atSeconds);
    return [
      (sample.atSeconds / 60).toFixed(1),
      mebibytes(sample.residentMemoryBytes),
      mebibytes(sample.heapUsedBytes),
      String(sample.activeHandles),
      (sample.eventLoopDelayP99Seconds * 1_000).toFixed(1),
      `${Math.round(share * 100)} %`,
    ];
  });
}
