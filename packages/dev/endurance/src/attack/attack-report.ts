import { describeMachine, counts, table } from '../report/tables.js';
import type { Machine } from '../measure/machine.js';
import type { AttackRow } from './attack.js';

export interface AttackReport {
  readonly seconds: number;
  readonly machine: Machine;
  readonly rows: readonly AttackRow[];
}

const FRI_PER_STRK = 1e18;

/** The report as Markdown. */
export function renderAttacks({ seconds, machine, rows }: AttackReport): string {
  const found = rows.flatMap(({ findings }) => findings);
  const cells = rows.map(({ story, name, strikes, attacker, honest, costFri }) => [
    story,
    name,
    strikes,
    counts(attacker.outcomes),
    `${honest.served} of ${honest.served + honest.unserved.length}`,
    honest.askedAgain,
    (Number(costFri) / FRI_PER_STRK).toFixed(3),
  ]);
  return `# Attacks

What an anonymous caller can do without a credential, done for ${seconds} s each against the built service with its usual limits, while an honest client withdraws two notes a second from another address. Chain, service, attacker and client share
${describeMachine(machine)}. Made again by \`npm run attack -- --seconds ${seconds} --write\`.

${found.length === 0 ? 'The honest client was served each time.' : found.map((text) => `- **${text}**`).join('\n')}

${table(['Story', 'Attack', 'Strikes', 'What the attacker was answered', 'Honest withdrawals served', 'Of these asked again', 'Reverts cost the operator (STRK)'], cells)}
`;
}
