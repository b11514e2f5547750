import { describeMachine, table } from '@sotto/load-kit/report';
import { counts, verdictOf, type RowsReport } from '../report/tables.js';
import { CRASH_POINTS } from './points.js';
import { rowFindings, type CrashRow, type CrashRowOptions } from './crash-row.js';

/** Renders the report of all kills as Markdown. */
export function renderCrashes({
  times,
  withdrawalsPerSecond,
  machine,
  rows,
}: RowsReport<CrashRowOptions, CrashRow>): string {
  return `# Crash matrix

The built service over SQLite with two lanes, killed by SIGKILL ${times} times at each named point (\`SOTTO_FAILPOINT\`) while ${withdrawalsPerSecond} new withdrawals a second come, and started again each
time. Between two kills the process gets to the point a few times more or less, so that it dies with more or less in flight. Some points are not reached in normal operation. For these points the chain refuses, loses or outbids
transactions or stops, until the process reaches the point. The contract pays again for a note that it has paid before, so that a second inclusion would show. Measured on ${describeMachine(machine)}; made again by
\`npm run crash-matrix -- --times ${times} --rate ${withdrawalsPerSecond} --write\`.

${verdictOf(rows.flatMap(rowFindings), ALL_HELD)}

${table(
  [
    'Point',
    'It dies between',
    'Kills',
    'Recovered',
    'Most in flight',
    'Submissions',
    'Attempts',
    'Paid',
    'Refused or expired',
    'Nonce gaps',
    'Slowest recovery (s)',
  ],
  rows.map((row) => [
    row.points.map((point) => `\`${point}\``).join(', '),
    CRASH_POINTS.filter(({ name }) => row.points.includes(name))
      .map(({ between }) => between)
      .join('; '),
    row.kills,
    row.recovered,
    row.mostInFlight,
    row.submissions,
    row.audit.attempts,
    row.audit.inclusions,
    refusedOf(row),
    row.audit.holes.length,
    row.slowestRecoverySeconds.toFixed(1),
  ]),
)}

A recovery lasts from a kill until everything that was in flight then had ended at ACCEPTED_ON_L2, however often the service died again until then. A withdrawal whose attempt was refused, expired or
reverted gets another attempt only when its caller repeats the request, as one in four does here.
`;
}

const ALL_HELD = `Nothing lost, nothing paid twice, no nonce gap, nothing stuck: every accepted submission has exactly one inclusion or ended with a reason, ledger and chain agree on each, and the same request gets the
same answer before and after.`;

function refusedOf({ audit: { byState, byReason } }: CrashRow): string {
  const reverted = byState['reverted'] ?? 0;
  return counts({ ...byReason, ...(reverted === 0 ? {} : { reverted }) });
}
