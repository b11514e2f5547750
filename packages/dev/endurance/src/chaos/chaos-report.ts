import { thisMachine, type Machine } from '../measure/machine.js';
import { describeMachine, table } from '../report/tables.js';
import { SHORTENED_BY } from './alerts.js';
import type { ChaosOptions, ChaosRow } from './chaos-row.js';

export interface ChaosReport extends ChaosOptions {
  readonly machine: Machine;
  readonly rows: readonly ChaosRow[];
}

export const chaosReport = (options: ChaosOptions, rows: readonly ChaosRow[]): ChaosReport => ({
  ...options,
  machine: thisMachine(),
  rows,
});

/** What did not hold; nothing when all is well. */
export const chaosFindings = ({ name, findings }: ChaosRow): readonly string[] =>
  findings.map((text) => `${name}: ${text}`);

/** The report as Markdown. */
export function renderChaos({ seconds, withdrawalsPerSecond, machine, rows }: ChaosReport): string {
  const found = rows.flatMap(chaosFindings);
  const verdict =
    found.length === 0
      ? ALL_HELD
      : `**${found.length} findings:**\n\n${found.map((text) => `- ${text}`).join('\n')}`;
  return `# Chaos

The built service under ${withdrawalsPerSecond} withdrawals a second, while something that it stands on fails. The contract pays again for a note that it has paid before, so that a second inclusion would show.
_Shown after_ is the time from the fault to the first look at \`GET /api/operator/status\` that names it; no answer at all is shown, too. Every caller asks again until it gets the outcome, and every outcome is compared with the chain: _callers_, those _answered_ with the one transaction that paid them, and how often the contract has _paid_.
Alerts are those of the rules that ship, evaluated by Prometheus itself with each \`for\` shortened to one ${SHORTENED_BY}th. Measured on ${describeMachine(machine)}; made again by \`npm run chaos -- --seconds ${seconds} --rate ${withdrawalsPerSecond} --write\`.

${verdict}

${table(
  [
    'Fault',
    'What happens',
    'Shown after (s)',
    'Looks showed',
    'Ready after (s)',
    'Callers',
    'Answered',
    'Paid',
  ],
  rows.map(
    ({ name, what, skipped, isShown, shownAfterSeconds, seen, recoveredAfterSeconds, truth }) =>
      skipped === null
        ? [
            name,
            what,
            isShown ? shown(shownAfterSeconds) : 'by its alert alone',
            seen.map((code) => `\`${code}\``).join(', '),
            shown(recoveredAfterSeconds),
            truth?.callers ?? '',
            truth?.answered ?? '',
            truth?.paid ?? '',
          ]
        : [name, what, `not staged: ${skipped}`, '', '', '', '', ''],
  ),
)}

## Alerts

All that are not named in a row must not fire in it.

${table(
  ['Fault', 'Must fire', 'May fire', 'Fired'],
  rows.map(({ name, must, may, fired }) => [
    name,
    must.join(', '),
    may.filter((alert) => !must.includes(alert)).join(', '),
    fired === null ? 'not watched' : fired.join(', '),
  ]),
)}
`;
}

const shown = (seconds: number | null): string => seconds?.toFixed(1) ?? 'never';

const ALL_HELD =
  'Every fault that stands in the way of something was shown in one look within 15 s, every caller received the one transaction that paid the withdrawal, nothing was paid twice, and the service recovered by itself.';
