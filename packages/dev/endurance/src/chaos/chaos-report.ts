import { describeMachine, table } from '@sotto/load-kit/report';
import { PAYS_TWICE, verdictOf, type RowsReport } from '../report/tables.js';
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

The built service under a load of ${withdrawalsPerSecond} withdrawals a second, while a component on which it depends fails. ${PAYS_TWICE}

- **Shown after**: time from the fault to the first poll of \`GET /api/operator/status\` that names the fault with the right cause. A missing response also shows the fault.
- **Ready after**: time from the end of the fault until \`/health/ready\` returns 200.
- **Paid after**: time from the end of the fault until the first withdrawal accepted since its beginning succeeds on chain. The limit for a fault of the node or of prices is 5 s.
- **Callers**: callers of withdrawals. Each caller repeats its request until it gets the outcome.
- **Answered**: callers that got the one transaction that paid them.
- **Paid**: payments by the contract.

Measured on ${describeMachine(machine)}; repeat with \`npm run chaos -- --seconds ${seconds} --rate ${withdrawalsPerSecond} --write\`.

${verdictOf(rows.flatMap(chaosFindings), ALL_HELD)}

${table(
  [
    'Fault',
    'Description',
    'Shown after (s)',
    'Reasons in the polls',
    'Ready after (s)',
    'Paid after (s)',
    'Callers',
    'Answered',
    'Paid',
  ],
  rows.map(outcomeCells),
)}

## Alerts

Prometheus evaluates the shipped rules, with each \`for\` and interval divided by ${SHORTENED_BY}. An alert reaches a person if no other alert mutes it by the shipped inhibition rules during Alertmanager’s wait. Only alerts until the end of the fault are listed: a recovery lasts seconds, which exceeds only a shortened \`for\`.

${table(
  ['Fault', 'Reached a person', 'Muted', 'May also reach a person'],
  rows.map(({ name, fired, reached, others }) => [
    name,
    reached === null ? 'not watched' : reached.join(', '),
    (fired ?? []).filter((alert) => reached?.includes(alert) !== true).join(', '),
    others === null ? '' : `${others.alerts.join(', ')}: ${others.why}`,
  ]),
)}

## Settings

The service has the defaults of production, except for the following settings. The chain verifies no proofs, because it shares the machine; the service verifies them. The chain produces a block each second.

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

/** Returns the report of an earlier run in which the row of this fault is replaced. */
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
  if (skipped !== null) return [name, what, `not run: ${skipped}`, '', '', '', '', '', ''];
  return [
    name,
    what,
    row.isShown ? shown(row.shownAfterSeconds) : 'withdrawals continue',
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
  'Every fault that blocks withdrawals was named in one poll within 15 s, and the alert of its cause reached a person where the second table lists one. Every caller received the one transaction that paid the withdrawal, and nothing was paid twice. The service recovered automatically.';
