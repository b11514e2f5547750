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

Two processes with every task of the keeper on one ledger, over the sandbox's chain. The one that holds lanes and tasks is killed by SIGKILL at a named point (\`SOTTO_FAILPOINT\`), the other leases them
and is killed at the next point; a fresh process follows each. Every point is reached ${times === 1 ? 'once' : `${times} times`}. Whenever all work is done, new work arrives: idle funds in vaults, a due time of each order,
another target of turbo, a lane that ran dry, deposits for a batch. Some points are not reached in normal operation. For these points the chain refuses, loses or outbids transactions, rolls back or stops, until a process reaches the point. Measured on
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
    ['Arrivals of new work', steps],
    ['Executions of orders', executions],
    ['Deployments of idle funds', deployments],
    ['Rounds of leverage', rounds],
    ['Borrowed by them (USDC, smallest unit)', borrowed],
    ['Top-ups', topUps],
    ['Batches', batches],
    ['No-ops for nonce gaps and cancelled calls', noops],
    ['Slowest recovery (s)', slowestRecoverySeconds.toFixed(1)],
  ],
)}

The record of the chain is judged, which is the transactions and events of accepted blocks; the reports of keepers are not used. A recovery lasts from a kill until all work that was due then is done.
`;
}

const ALL_HELD = `Every due time of every order was executed once, idle funds were deployed once, the lane was topped up once up to its ceiling, each batch was deployed once, and every round has moved the
amount that the planner requires at the position that the round met: nothing was borrowed twice. No transaction has reverted.`;
