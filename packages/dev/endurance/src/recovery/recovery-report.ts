import { describeMachine, table } from '@sotto/load-kit/report';
import { counts, verdictOf, type RowsReport } from '../report/tables.js';
import { recoveryFindings, type RecoveryOptions, type RecoveryRow } from './recovery-row.js';

/** Renders the report as Markdown. */
export function renderRecovery({
  times,
  seconds,
  withdrawalsPerSecond,
  machine,
  rows,
}: RowsReport<RecoveryOptions, RecoveryRow>): string {
  return `# Recovery

The built service over SQLite, which loses its ledger, or the leases of its lanes, under a load of ${withdrawalsPerSecond} withdrawals a second. The contract pays again for a note that it has paid before,
so that a second inclusion would show. Every caller repeats the request for its withdrawal until it gets the outcome, and every outcome is compared with the chain. Measured on ${describeMachine(machine)};
made again by \`npm run recovery -- --times ${times} --seconds ${seconds} --rate ${withdrawalsPerSecond} --write\`.

${verdictOf(rows.flatMap(recoveryFindings), ALL_HELD)}

${table(
  [
    'Case',
    'What happens',
    'Times',
    'Most in flight',
    'Callers',
    'Answered correctly',
    'Paid',
    'Until ready (s)',
    'Answers until accepted',
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

A recovery waits for the lifetime of the mempool, consumes every nonce in question with a no-op, reads the outcomes from the chain, and then begins to work. In the runs above that lifetime is set to five
seconds; that of the network is five minutes, to which \`MEMPOOL_LIFETIME_MS\` has to be set there.
`;
}

const ALL_HELD =
  'Every caller received the one transaction that paid the withdrawal, and nothing was paid twice.';
