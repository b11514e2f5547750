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

Two processes with all tasks of the keeper share one ledger, over the sandbox’s chain. The process that holds lanes and tasks is killed by SIGKILL at a failpoint (\`SOTTO_FAILPOINT\`). The other process leases them and is killed at the next failpoint, and a new process replaces each killed one. Every failpoint is reached ${times === 1 ? 'once' : `${times} times`}.
New work arrives whenever all work is done. To reach failpoints outside of normal operation, the chain refuses, loses or outbids transactions, rolls back or stops. Measured on ${describeMachine(machine)}; repeat with \`npm run keeper-matrix -- --times ${times} --write\`.

${verdictOf(findings, ALL_HELD)}

${table(
  ['Failpoint', 'State at the kill', 'Kills'],
  Object.entries(kills).map(([point, count]) => [
    `\`${point}\``,
    CRASH_POINTS.find(({ name }) => name === point)?.between ?? '',
    count,
  ]),
)}

${table(
  ['Found on the chain', ''],
  [
    ['Arrivals of new work', steps],
    ['Executions of orders', executions],
    ['Deployments of idle funds', deployments],
    ['Rounds of leverage', rounds],
    ['Borrowed in these rounds (smallest unit of USDC)', borrowed],
    ['Top-ups', topUps],
    ['Batches', batches],
    ['No-ops for nonce gaps and cancelled calls', noops],
    ['Slowest recovery (s)', slowestRecoverySeconds.toFixed(1)],
  ],
)}

The verdict uses only transactions and events of accepted blocks, not the keepers’ reports. A recovery lasts from a kill until all work that was due at the kill is done.
`;
}

const ALL_HELD =
  'Every due time of every order was executed once, idle funds were deployed once, and each batch was deployed once. The lane was topped up once to its ceiling. Every round of leverage moved the amount that the planner requires, so nothing was borrowed twice. No transaction reverted.';
