import { describeMachine, table } from '@sotto/load-kit/report';
import { counts, PAYS_TWICE, verdictOf, type RowsReport } from '../report/tables.js';
import { recoveryFindings, type RecoveryOptions, type RecoveryRow } from './recovery-row.js';

/** Renders the report as Markdown. */
export function renderRecovery({
  times,
  seconds,
  requestsPerSecond,
  machine,
  rows,
}: RowsReport<RecoveryOptions, RecoveryRow>): string {
  return `# Recovery

The built service over SQLite loses its ledger or the leases of its lanes, under a load of ${requestsPerSecond} requests a second. Two of three requests are private actions, the others are withdrawals. Every caller repeats its request until it gets the outcome, which is compared with the chain.
${PAYS_TWICE} Measured on ${describeMachine(machine)}; repeat with \`npm run recovery -- --times ${times} --seconds ${seconds} --rate ${requestsPerSecond} --write\`.

${verdictOf(rows.flatMap(recoveryFindings), ALL_HELD)}

${table(
  [
    'Case',
    'Disturbance',
    'Times',
    'Maximum in flight',
    'Callers',
    'Answered correctly',
    'Paid',
    'Until ready (s)',
    'Responses until accepted',
  ],
  rows.map(({ name, what, times: done, mostInFlight, truth, outcomes, slowestSeconds }) => [
    name,
    what,
    done,
    mostInFlight,
    truth.callers,
    truth.answered,
    truth.paid,
    slowestSeconds.toFixed(1),
    counts(outcomes),
  ]),
)}

A recovery waits for the mempool lifetime, consumes every nonce in question with a no-op, and reads the outcomes from the chain. These runs set \`MEMPOOL_LIFETIME_MS\` to five seconds; on the network it must be five minutes.
`;
}

const ALL_HELD =
  'Every caller received the one transaction that paid the request, and nothing was paid twice.';
