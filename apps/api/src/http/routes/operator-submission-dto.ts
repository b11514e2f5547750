import type { BodyOf } from '@sotto/http-server';
import type { InspectedSubmission, OperatedSubmission } from '@sotto/relayer-core';
import type * as routes from '@sotto/routes';
import type { SubmissionAnswer, TransactionRow } from '@sotto/submission-core';

type SubmissionDto = BodyOf<typeof routes.operatedSubmissions>['submissions'][number];
type DetailDto = BodyOf<typeof routes.operatedSubmission>;

export function toDetailDto({ submission, block, isCancellable }: InspectedSubmission): DetailDto {
  const { attempt, transactions } = submission;
  return {
    submission: toOperatedSubmissionDto(submission),
    deadline: secondsOf(attempt.deadlineMs),
    readmitted: attempt.readmit,
    block,
    transactions: transactions.map(toTransactionDto),
    cancellable: isCancellable,
    undone:
      attempt.undone === null
        ? null
        : {
            transactionHash: attempt.undone.transactionHash,
            execution: attempt.undone.execution,
            at: secondsOf(attempt.undone.undoneAtMs),
          },
    timeline: timelineOf(submission),
  };
}

/** Converts a submission to the operator's view, without recipient, calldata, note and caller. */
export function toOperatedSubmissionDto(submission: OperatedSubmission): SubmissionDto {
  const { attempt, transactions, pool, answer, feeEarned } = submission;
  return {
    id: attempt.id,
    attempt: attempt.attempt,
    kind: attempt.kind,
    pool: pool?.key ?? null,
    state: attempt.state,
    lane: attempt.lane,
    nonce: attempt.nonce === null ? null : String(attempt.nonce),
    transactionHashes: hashesOf(submission, transactions),
    acceptedAt: secondsOf(attempt.acceptedAtMs),
    endedAt: attempt.endedAtMs === null ? null : secondsOf(attempt.endedAtMs),
    gasPaidFri: attempt.gasPaidFri === null ? null : String(attempt.gasPaidFri),
    feeEarned:
      feeEarned === null
        ? null
        : {
            amount: String(feeEarned.amount),
            token: feeEarned.token,
            fri: String(feeEarned.fri),
          },
    code: attempt.rejectionCode,
    revertReason: attempt.revertReason,
    answer: toAnswerDto(answer),
    reorged: attempt.undone !== null,
  };
}

/**
 * Returns the hashes of all signed calls and of the final call. An adopted submission has only the
 * hash of the final call.
 */
function hashesOf(
  { attempt: { transactionHash } }: OperatedSubmission,
  transactions: readonly TransactionRow[],
): readonly string[] {
  const signed = transactions.map(({ hash }) => hash);
  return [...new Set(transactionHash === null ? signed : [...signed, transactionHash])];
}

function toAnswerDto(answer: SubmissionAnswer): SubmissionDto['answer'] {
  switch (answer.kind) {
    case 'executed': {
      const { execution, finality, transactionHash } = answer;
      return { execution, finality, transactionHash };
    }
    case 'pending':
      return {
        execution: 'UNKNOWN',
        finality: null,
        transactionHash: answer.transactionHash,
      };
    case 'rejected':
      return { execution: null, finality: null, transactionHash: null };
  }
}

function toTransactionDto(row: TransactionRow): DetailDto['transactions'][number] {
  return {
    hash: row.hash,
    kind: row.kind,
    lane: row.lane,
    nonce: String(row.nonce),
    priceStep: row.priceStep,
    maxL2GasPriceFri: String(row.bounds.l2Gas.maxPriceFri),
    sends: row.sendCount,
    lastSentAt: row.claimedAtMs === null ? null : secondsOf(row.claimedAtMs),
    gone: row.gone,
    refusal: row.rejectionCode,
    seen: row.seen?.execution ?? null,
  };
}

/** Returns those events of a submission for which the ledger stores a time, oldest first. */
function timelineOf({ attempt, transactions }: OperatedSubmission): DetailDto['timeline'] {
  const { acceptedAtMs, endedAtMs, undone, state, transactionHash } = attempt;
  const sent = transactions.flatMap(({ hash, claimedAtMs, priceStep }) =>
    claimedAtMs === null
      ? []
      : [{ atMs: claimedAtMs, what: 'sent' as const, transactionHash: hash, note: `${priceStep}` }],
  );
  const events = [
    { atMs: acceptedAtMs, what: 'accepted' as const, transactionHash: null, note: null },
    ...sent,
    ...(undone === null
      ? []
      : [
          {
            atMs: undone.undoneAtMs,
            what: 'undone' as const,
            transactionHash: undone.transactionHash,
            note: null,
          },
        ]),
    ...(endedAtMs === null
      ? []
      : [{ atMs: endedAtMs, what: 'ended' as const, transactionHash, note: state }]),
  ];
  return events
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, ...event }) => ({ at: secondsOf(atMs), ...event }));
}

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);
