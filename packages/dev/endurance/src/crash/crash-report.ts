import { describeMachine, table } from '@sotto/load-kit/report';
import { counts, PAYS_TWICE, verdictOf, type RowsReport } from '../report/tables.js';
import { CRASH_POINTS } from './points.js';
import { rowFindings, type CrashRow, type CrashRowOptions } from './crash-row.js';

/** Renders the report about all kills as Markdown. */
export function renderCrashes({
  times,
  requestsPerSecond,
  machine,
  rows,
}: RowsReport<CrashRowOptions, CrashRow>): string {
  return `# Crash matrix

The built service over SQLite with two lanes is killed by SIGKILL ${times} times at each failpoint (\`SOTTO_FAILPOINT\`) and restarted, under a load of ${requestsPerSecond} new requests a second. Two of three requests are private actions, the others are withdrawals, and a kill counts only if private actions were in flight. To reach failpoints outside of normal operation, the chain refuses, loses or outbids transactions, or stops.
${PAYS_TWICE} Measured on ${describeMachine(machine)}; repeat with \`npm run crash-matrix -- --times ${times} --rate ${requestsPerSecond} --write\`.

${verdictOf(rows.flatMap(rowFindings), ALL_HELD)}

${table(
  [
    'Failpoint',
    'State at the kill',
    'Kills',
    'Recovered',
    'Maximum in flight',
    'Submissions',
    'Private actions',
    'Attempts',
    'Paid',
    'Refused, expired or reverted',
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
    row.privateActions,
    row.audit.attempts,
    row.audit.inclusions,
    refusedOf(row),
    row.audit.holes.length,
    row.slowestRecoverySeconds.toFixed(1),
  ]),
)}

A recovery lasts from a kill until all work that was in flight at the kill has ended at ACCEPTED_ON_L2, including the time of further kills. One in four callers repeats a request whose attempt was refused, expired or reverted; only then does the request get another attempt.
`;
}

const ALL_HELD =
  'Every accepted submission has exactly one inclusion or ended with a reason. Ledger and chain agree on each, no nonce gap remains, and a repeated request gets the same response before and after the kill.';

function refusedOf({ audit: { byState, byReason } }: CrashRow): string {
  const reverted = byState['reverted'] ?? 0;
  return counts({ ...byReason, ...(reverted === 0 ? {} : { reverted }) });
}
