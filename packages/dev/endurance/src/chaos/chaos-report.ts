import { describeMachine, table } from '@sotto/load-kit/report';
import { verdictOf, type RowsReport } from '../report/tables.js';
import { SHORTENED_BY } from './alerts.js';
import type { ChaosOptions, ChaosRow } from './chaos-row.js';
import { OVERRIDES } from './settings.js';

export type ChaosReport = RowsReport<ChaosOptions, ChaosRow>;

/** Returns the findings of a fault, each with the name of the fault. */
export const chaosFindings = ({ name, findings }: ChaosRow): readonly string[] =>
  findings.map((text) => `${name}: ${text}`);

/** Renders the report of all faults as Markdown. */
export function renderChaos({ seconds, withdrawalsPerSecond, machine, rows }: ChaosReport): string {
  return `# Chaos

The built service under ${withdrawalsPerSecond} withdrawals a second, while a component on which it depends fails. The contract pays again for a note that it has paid before, so that a second inclusion would show.
_Shown after_ is the time from the fault to the first poll of \`GET /api/operator/status\` that names the fault with the right cause; a missing answer also counts as shown. _Ready after_ and _Paid after_ begin at the end of the fault and end when \`/health/ready\` answers 200, and when the first withdrawal that was accepted since the fault began succeeds on chain: at most 5 s for a fault of the node or of prices. Every caller repeats its request until it gets the outcome, and every outcome is compared with the chain: _callers_, those _answered_ with the one transaction that paid them, and how often the contract has _paid_.
Measured on ${describeMachine(machine)}; made again by \`npm run chaos -- --seconds ${seconds} --rate ${withdrawalsPerSecond} --write\`.

${verdictOf(rows.flatMap(chaosFindings), ALL_HELD)}

${table(
  [
    'Fault',
    'What happens',
    'Shown after (s)',
    'Polls showed',
    'Ready after (s)',
    'Paid after (s)',
    'Callers',
    'Answered',
    'Paid',
  ],
  rows.map(outcomeCells),
)}

## Alerts

Prometheus evaluates the rules that ship, each \`for\` and interval shortened to one ${SHORTENED_BY}th. An alert reaches a person if no other one mutes it by the inhibition rules that ship for as long as Alertmanager waits; this is judged until the fault ends, because the recovery after it lasts seconds, less than any \`for\` that is not shortened. Exactly one alert of each fault reaches a person; the others are muted.

${table(
  ['Fault', 'Reached a person', 'Muted', 'May reach a person too'],
  rows.map(({ name, fired, reached, others }) => [
    name,
    reached === null ? 'not watched' : reached.join(', '),
    (fired ?? []).filter((alert) => reached?.includes(alert) !== true).join(', '),
    others === null ? '' : `${others.alerts.join(', ')}: ${others.why}`,
  ]),
)}

## Settings

Every setting has the default of production, except the following ones. The chain verifies no proofs, since it shares the machine, and makes a block each second; the service verifies them.

${table(
  ['Setting', 'Value', 'Reason'],
  OVERRIDES.map(({ names, value, why }) => [
    names.map((name) => `\`${name}\``).join(', '),
    value,
    why,
  ]),
)}

${rows
  .flatMap(({ name, env }) =>
    Object.entries(env).map(([setting, value]) => `- ${name}: \`${setting}=${value}\``),
  )
  .join('\n')}
`;
}

/** Returns the page of an earlier run, in which the rows of one fault are replaced. */
export function withRow(page: string, report: ChaosReport, row: ChaosRow): string {
  const start = `| ${row.name} |`;
  const cells = renderChaos(report)
    .split('\n')
    .filter((line) => line.startsWith(start));
  const lines = page
    .split('\n')
    .map((line) =>
      line.replaceAll(/ +\|/g, ' |').startsWith(start) ? (cells.shift() ?? line) : line,
    );
  const first = lines.findIndex((line) => line.startsWith('| Fault'));
  const head = lines.findIndex((line) => line.startsWith('Measured on'));
  const found = lines
    .slice(head, first)
    .flatMap((line) => (line.startsWith('- ') ? line.slice(2) : []))
    .filter((text) => !text.startsWith(`${row.name}: `));
  return [
    ...lines.slice(0, head + 1),
    '',
    verdictOf([...found, ...chaosFindings(row)], ALL_HELD),
    '',
    ...lines.slice(first),
  ].join('\n');
}

function outcomeCells(row: ChaosRow): readonly (string | number)[] {
  const { name, what, skipped, truth } = row;
  if (skipped !== null) return [name, what, `not staged: ${skipped}`, '', '', '', '', '', ''];
  return [
    name,
    what,
    row.isShown ? shown(row.shownAfterSeconds) : 'nothing is blocked',
    row.seen.map((text) => `\`${text}\``).join(', '),
    shown(row.recoveredAfterSeconds),
    shown(row.paidAfterSeconds),
    truth?.callers ?? '',
    truth?.answered ?? '',
    truth?.paid ?? '',
  ];
}

const shown = (seconds: number | null): string => seconds?.toFixed(1) ?? 'never';

const ALL_HELD =
  'Every fault that blocks something was named in one poll within 15 s, the alert of its cause reached a person where the second table names one, every caller received the one transaction that paid the withdrawal, nothing was paid twice, and the service recovered automatically.';
