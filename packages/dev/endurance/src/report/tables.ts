import type { Audit } from '../ledger/audit.js';
import { findings } from '../ledger/audit.js';
import type { Machine } from '../measure/machine.js';
import type { RequestSummary } from '../measure/requests.js';

type Cells = readonly (string | number)[];

const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly Cells[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function describeMachine({ processor, cores, node }: Machine): string {
  return `${cores} cores of ${processor}, Node ${node}`;
}

/** One row for each outcome of each kind of request. */
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

/** What ledger and chain say of each other. */
export function auditTable(audit: Audit): string {
  const { attempts, byState, byReason, inclusions, noops } = audit;
  const lists = [
    ['Accepted and not in the ledger', audit.lost],
    ['Paid more than once', audit.doubles],
    ['Ledger and chain disagree', audit.disagreements],
    ['Ended without a reason', audit.unreasoned],
    ['Neither ended nor settled', audit.stuck],
    ['Settled as foreign', audit.foreign],
    ['Nonce gaps in lanes', audit.holes],
  ] as const;
  return table(
    ['Ledger against chain', ''],
    [
      ['Attempts in the ledger', attempts],
      ['by their end', counts(byState)],
      ['by reason of a refusal', counts(byReason)],
      ['Withdrawals paid on chain', inclusions],
      ['No-ops on chain', noops],
      ...lists.map(([name, found]) => [name, found.length]),
    ],
  );
}

/** The sentence that a report begins with. */
export function verdictOf(audit: Audit): string {
  const found = findings(audit);
  return found.length === 0
    ? 'Ledger and chain agree: nothing lost, nothing paid twice, no nonce gap, nothing stuck.'
    : `**${found.length} findings:**\n\n${found.map((text) => `- ${text}`).join('\n')}`;
}

/** Counts as text, or a dash. */
export function counts(byName: Readonly<Record<string, number>>): string {
  const all = Object.entries(byName);
  return all.length === 0 ? '–' : all.map(([name, count]) => `${name} ${count}`).join(', ');
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
