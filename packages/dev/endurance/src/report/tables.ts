import { table, thisMachine, type Machine } from '@sotto/load-kit/report';
import type { Audit } from '../ledger/audit.js';
import { findings } from '../ledger/audit.js';
import type { RequestSummary } from '../measure/requests.js';

/** Rows of a report, together with the options of the run and the machine. */
export type RowsReport<Options, Row> = Options & {
  readonly machine: Machine;
  readonly rows: readonly Row[];
};

export function rowsReport<Options extends object, Row>(
  options: Options,
  rows: readonly Row[],
): RowsReport<Options, Row> {
  return { ...options, machine: thisMachine(), rows };
}

/** Sentence about the load pool’s contract, for the reports of payments. */
export const PAYS_TWICE =
  'The pool contract pays spent notes again, so a second inclusion would be visible as a second payment.';

/** Renders one table row for each kind of request and each outcome of this kind. */
export function requestTable(kinds: Readonly<Record<string, RequestSummary>>): string {
  const rows = Object.entries(kinds).flatMap(([kind, { durationsMs }]) =>
    Object.entries(durationsMs).map(([outcome, { count, p50, p95, p99, max }]) => [
      kind,
      outcome,
      count,
      p50,
      p95,
      p99,
      max,
    ]),
  );
  return table(
    ['Request', 'Outcome', 'Count', 'p50 (ms)', 'p95 (ms)', 'p99 (ms)', 'max (ms)'],
    rows,
  );
}

/** Renders the comparison of ledger and chain. */
export function auditTable(audit: Audit): string {
  const { attempts, byState, byReason, inclusions, noops } = audit;
  const lists = [
    ['Accepted, but not in the ledger', audit.lost],
    ['Paid more than once', audit.doubles],
    ['Ledger and chain disagree', audit.disagreements],
    ['Ended without a reason', audit.unreasoned],
    ['Neither ended nor settled', audit.stuck],
    ['Settled as foreign', audit.foreign],
    ['Nonce gaps in lanes', audit.holes],
  ] as const;
  return table(
    ['Ledger compared with chain', ''],
    [
      ['Attempts in the ledger', attempts],
      ['Attempts by final state', counts(byState)],
      ['Refused attempts by reason', counts(byReason)],
      ['Withdrawals paid on chain', inclusions],
      ['No-ops on chain', noops],
      ...lists.map(([name, found]) => [name, found.length]),
    ],
  );
}

/** Returns the first lines of a report: the list of findings, or `allHeld` if there are none. */
export function verdictOf(found: readonly string[], allHeld: string): string {
  return found.length === 0 ? allHeld : `**${found.length} findings:**\n\n${list(found)}`;
}

export const list = (texts: readonly string[]): string =>
  texts.map((text) => `- ${text}`).join('\n');

/**
 * Returns the first lines of a report that compares ledger and chain, as {@link verdictOf} does.
 */
export function verdictOfAudit(audit: Audit): string {
  return verdictOf(
    findings(audit),
    'Ledger and chain agree: no withdrawal was lost, paid twice or left unfinished, and no nonce gap remains.',
  );
}

/** Renders counts by name as text, or a dash if there are no counts. */
export function counts(byName: Readonly<Record<string, number>>): string {
  const all = Object.entries(byName);
  return all.length === 0 ? '–' : all.map(([name, count]) => `${name} ${count}`).join(', ');
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
