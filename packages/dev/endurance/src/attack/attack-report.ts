import { describeMachine, table } from '@sotto/load-kit/report';
import { counts, list, type RowsReport } from '../report/tables.js';
import type { AttackRow } from './attack.js';
import type { Served } from './honest-client.js';

export type AttackReport = RowsReport<{ readonly seconds: number }, AttackRow>;

const FRI_PER_STRK = 1e18;
const strk = (fri: bigint): string => (Number(fri) / FRI_PER_STRK).toFixed(3);

const HEAD = [
  'Story',
  'Attack',
  'Addresses',
  'Strikes',
  'Replies to the attacker',
  'Honest requests served',
  'Honest requests repeated',
  'Operator’s cost (STRK)',
  'Attacker’s cost (STRK)',
  'Ratio',
];

/** Renders the report of all attacks as Markdown. */
export function renderAttacks({ seconds, machine, rows }: AttackReport): string {
  const found = rows.flatMap(({ findings }) => findings);
  const isTenfold = rows.some(({ factor }) => factor === 10);
  const cells = rows.map((row) => [
    row.story,
    row.name,
    row.factor === 1 ? 'as in the story' : 'ten times',
    row.strikes,
    counts(row.attacker.outcomes),
    row.honest.map(servedText).join(', '),
    row.honest.reduce((sum, { requestedAgain }) => sum + requestedAgain, 0),
    strk(row.operatorFri),
    strk(row.attackerFri),
    ratio(row),
  ]);
  return `# Attacks

Attacks by a caller without a credential, each for ${seconds} s against the built service with its default limits. At the same time, an honest client at another address withdraws two notes a second and sends requests of the attacked kind.
Chain, service, attacker and client share ${describeMachine(machine)}. Repeat with \`npm run attack -- --seconds ${seconds}${isTenfold ? ' --tenfold' : ''} --write\`; \`--story T6\` runs one story only.

${found.length === 0 ? 'Every limit was met.' : list(found.map((text) => `**${text}**`))}

${table(HEAD, cells)}

- **Limits.** 95 % of the honest requests of each kind succeed with the story’s addresses, 50 % with ten times the addresses. No attack costs the operator more than the pool’s loss budget, 20 STRK an hour.
- **Addresses.** With ten times the addresses, the attacker also has ten times the networks and strikes four times as often. A network is a /24, or a /48 in T6 and T8.
- **Strikes.** A strike is one step of the attack, mostly one request. A strike of T6 is six concurrent swaps, or 24 with ten times the addresses.
- **T stories.** They share one service and its hourly budgets, in the order T9, T11, T12, T13, T10, T8, T6, T14. The profile pins the sandbox’s guard in these runs only.
- **Operator’s cost.** Gas of the attacker’s transactions that their fees did not pay: reverts, deposits, and withdrawals for less than their gas.
- **Attacker’s cost.** Fees of the attacker’s successful transactions, plus, in S8 and T8, one direct withdrawal for each strike at the gas of the run’s most expensive transaction. Price changes in S7 and T6 cost the attacker nothing, and deposited amounts are not included.
- **Ratio.** Operator’s cost divided by the attacker’s cost.
`;
}

function servedText({ name, served, unserved }: Served): string {
  return `${served} of ${served + unserved.length} ${name}`;
}

function ratio({ operatorFri, attackerFri }: AttackRow): string {
  if (operatorFri === 0n) return '0';
  return attackerFri === 0n ? 'free' : (Number(operatorFri) / Number(attackerFri)).toFixed(2);
}
