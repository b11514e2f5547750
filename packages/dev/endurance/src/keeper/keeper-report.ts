import { describeMachine, table, thisMachine, type Machine } from '@sotto/load-kit/report';
import { CRASH_POINTS } from '../crash/points.js';
import { verdictOf } from '../report/tables.js';
import type { KeeperJudgement } from './judge.js';
import type { KeeperMatrix } from './keeper-matrix.js';

export interface KeeperReport extends Omit<KeeperMatrix, 'judgement'> {
  readonly times: number;
  readonly machine: Machine;
  readonly judgement: Omit<KeeperJudgement, 'borrowed'> & { readonly borrowed: string };
}

/** Creates the report. Amounts are converted to strings, because JSON has no bigint. */
export function keeperReport(times: number, { judgement, ...matrix }: KeeperMatrix): KeeperReport {
  const borrowed = String(judgement.borrowed);
  return { ...matrix, times, machine: thisMachine(), judgement: { ...judgement, borrowed } };
}

/** Renders the report as Markdown. */
export function renderKeeperMatrix(report: KeeperReport): string {
  const { times, machine, kills, steps, slowestRecoverySeconds, judgement } = report;
  const { findings, executions, deployments, topUps, batches, rounds, borrowed, noops } = judgement;
  return `# Crash matrix of the keeper

Two processes with every task of the keeper on one ledger, over the sandbox's chain. The one that holds lanes and tasks is killed by SIGKILL at a named point (\`SOTTO_FAILPOINT\`), the other takes over
and is killed at the next one; a fresh process follows each. Every point is reached ${times === 1 ? 'once' : `${times} times`}. Meanwhile, whenever all is done, there is more to do: idle funds in vaults, a due time of each order,
another target of turbo, a lane that ran dry, deposits for a batch. At points that the usual road does not lead to, the chain refuses, loses, outbids, rolls back or stands still until it does. Measured on
${describeMachine(machine)}; made again by \`npm run keeper-matrix -- --times ${times} --write\`.

${verdictOf(findings, ALL_HELD)}

${table(
  ['Point', 'It dies between', 'Kills'],
  Object.entries(kills).map(([point, count]) => [
    `\`${point}\``,
    CRASH_POINTS.find(({ name }) => name === point)?.between ?? '',
    count,
  ]),
)}

${table(
  ['On the chain', ''],
  [
    ['Times that there was more to do', steps],
    ['Executions of orders', executions],
    ['Deployments of idle funds', deployments],
    ['Rounds of leverage', rounds],
    ['Borrowed by them (USDC, smallest unit)', borrowed],
    ['Top-ups', topUps],
    ['Batches', batches],
    ['No-ops for nonce gaps and what was given up', noops],
    ['Slowest recovery (s)', slowestRecoverySeconds.toFixed(1)],
  ],
)}

The chain's record is judged, never what a keeper says: transactions and events of accepted blocks. A recovery lasts from a kill until all is done that there was to do then.
`;
}

const ALL_HELD = `Every due time of every order was executed once, idle funds were deployed once, the lane was topped up once up to its ceiling, each batch was deployed once, and every round has moved what the
planner asks for at the position that it met: nothing was borrowed twice. No transaction has reverted.`;
