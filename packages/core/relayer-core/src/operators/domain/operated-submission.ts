import type { Felt } from '@sotto/kernel';
import {
  outcomeOf,
  type AnswerAt,
  type RegisteredSubmission,
  type SubmissionAnswer,
} from '@sotto/submission-core';
import { feeTokenToFri } from '../../circuit-breaker/domain/money.js';
import { decimalsOf, type RelayedPool } from '../../pools/domain/pool.js';

/** Submission as presented to operators. */
export interface OperatedSubmission extends RegisteredSubmission {
  /** Pool of the submission; null if the submission belongs to no pool of the profile. */
  readonly pool: RelayedPool | null;
  /** Response that the submission's caller would get now. */
  readonly answer: SubmissionAnswer;
  /** Fee that the submission earned. Null if the submission has not succeeded or paid no fee. */
  readonly feeEarned: FeeEarned | null;
}

interface FeeEarned {
  /**
   * Amount of the fee in the fee token's smallest unit, less the price of STRK that the recipient
   * got.
   */
  readonly amount: bigint;
  readonly token: Felt;
  /** Amount of the fee in fri, at the prices of the submission's admission. */
  readonly fri: bigint;
}

export interface OperatedSubmissionPolicy {
  readonly pools: readonly RelayedPool[];
  readonly answerAt: AnswerAt;
}

export function operatedSubmission(
  { attempt, transactions }: RegisteredSubmission,
  { pools, answerAt }: OperatedSubmissionPolicy,
): OperatedSubmission {
  const pool = pools.find(({ address }) => address === attempt.subject) ?? null;
  const answer = outcomeOf(attempt, transactions, answerAt);
  return { attempt, transactions, pool, answer, feeEarned: feeEarnedBy({ attempt }, pool) };
}

function feeEarnedBy(
  { attempt: { state, terms } }: Pick<RegisteredSubmission, 'attempt'>,
  pool: RelayedPool | null,
): FeeEarned | null {
  if (state !== 'succeeded' || terms === null || pool === null) return null;
  const { feeAmount: amount, feeToken: token } = terms;
  return { amount, token, fri: feeTokenToFri(amount, terms, decimalsOf(pool, token)) };
}
