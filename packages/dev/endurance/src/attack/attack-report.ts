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
  'Of these repeated',
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

Attacks of an anonymous caller without a credential. Each attack lasts ${seconds} s and meets the built service with its usual limits, while an honest client withdraws two notes a second from another address and makes requests of the attacked kind. Chain, service, attacker and client share
${describeMachine(machine)}. Made again by \`npm run attack -- --seconds ${seconds}${isTenfold ? ' --tenfold' : ''} --write\`; \`--story T6\` plays one story alone.

${found.length === 0 ? 'Every bar was met.' : list(found.map((text) => `**${text}**`))}

${table(HEAD, cells)}

- **Bars.** 95 % of the honest requests of each kind succeed with the story’s addresses, 50 % with ten times the addresses and networks, which also strike four times as often. No attack costs the operator more than the pool’s loss budget, 20 STRK an hour.
- **Stories.** The T stories share one service and one hour of its budgets in each of both runs, in the order T9, T11, T12, T13, T10, T8, T6, T14. A network is a /24, or a /48 in T6 and T8. Honest deposits of T12 come every four seconds: a pool accepts 24 an hour from all callers together, because it accepts its last 30 roots. A strike of T6 is six swaps at once, 24 with ten times the addresses, and the service sends them one after the other. The profile pins the sandbox’s guard in these runs and in no others.
- **Operator’s cost.** Gas of the attacker’s transactions that their own fees did not pay: reverts, deposits, and withdrawals for less than their gas.
- **Attacker’s cost.** Fees of the attacker’s transactions that succeeded. In S8 and T8 it also includes one direct withdrawal for each strike, at the gas of the dearest transaction of the run. The sandbox moves its market without a cost, so in S7 and T6 the attacker pays nothing for the slip. Amounts that a deposit locks can be withdrawn and are not included.
- **Ratio.** Operator’s cost by attacker’s cost.
`;
}

function servedText({ name, served, unserved }: Served): string {
  return `${served} of ${served + unserved.length} ${name}`;
}

function ratio({ operatorFri, attackerFri }: AttackRow): string {
  if (operatorFri === 0n) return '0';
  return attackerFri === 0n ? 'free' : (Number(operatorFri) / Number(attackerFri)).toFixed(2);
}
