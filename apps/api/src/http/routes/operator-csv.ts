import type { OperatedSubmission } from '@sotto/relayer-core';
import { stringify } from 'csv-stringify/sync';
import { toOperatedSubmissionDto } from './operator-submission-dto.js';

const COLUMNS = [
  'id',
  'attempt',
  'kind',
  'pool',
  'state',
  'lane',
  'nonce',
  'transaction_hashes',
  'accepted_at',
  'ended_at',
  'gas_paid_fri',
  'fee_amount',
  'fee_token',
  'fee_fri',
  'code',
  'revert_reason',
  'execution',
  'finality',
  'reorged',
];

/** Formats records as CSV (RFC 4180). Spreadsheet formulas are escaped as text. */
const textOf = (records: readonly (readonly unknown[])[]): string =>
  stringify([...records], { escape_formulas: true, record_delimiter: 'windows' });

/** Streams a CSV table of submissions, with at most one page of submissions in memory. */
export async function* submissionsCsv(
  first: readonly OperatedSubmission[],
  others: AsyncIterable<readonly OperatedSubmission[]>,
): AsyncGenerator<string> {
  yield textOf([COLUMNS, ...first.map(toRecord)]);
  for await (const page of others) yield textOf(page.map(toRecord));
}

function toRecord(submission: OperatedSubmission): readonly (string | number | null)[] {
  const row = toOperatedSubmissionDto(submission);
  const { feeEarned, answer } = row;
  return [
    row.id,
    row.attempt,
    row.kind,
    row.pool,
    row.state,
    row.lane,
    row.nonce,
    row.transactionHashes.join(' '),
    isoOf(row.acceptedAt),
    row.endedAt === null ? null : isoOf(row.endedAt),
    row.gasPaidFri,
    feeEarned?.amount ?? null,
    feeEarned?.token ?? null,
    feeEarned?.fri ?? null,
    row.code,
    row.revertReason,
    answer.execution,
    answer.finality,
    String(row.reorged),
  ];
}

const isoOf = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
