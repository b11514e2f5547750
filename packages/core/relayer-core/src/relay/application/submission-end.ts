import { LEDGER_ERRORS, NODE_ERRORS, codesOf, type ErrorCode } from '@sotto/facts';
import type { SubmissionAnswer } from '@sotto/submission-core';
import { SubmissionExpired, SubmissionRefused } from '../../errors.js';

/** Codes of what keeps a submission from being made, or ends it without a transaction. */
export const SUBMISSION_THROWS = [
  'QUEUE_FULL',
  'LEDGER_BEHIND_CHAIN',
  'SUBMISSION_REFUSED',
  'SUBMISSION_EXPIRED',
  ...codesOf(LEDGER_ERRORS),
  ...codesOf(NODE_ERRORS),
] as const satisfies readonly ErrorCode[];

/** The answer for a submission that was not refused or given up: executed, or undecided. */
export type StandingAnswer = Exclude<SubmissionAnswer, { readonly kind: 'rejected' }>;

/**
 * @throws SubmissionRefused, SubmissionExpired for a submission of which nothing is or can be on
 *   chain.
 */
export function assertNotRejected(answer: SubmissionAnswer): StandingAnswer {
  if (answer.kind !== 'rejected') return answer;
  const details = { refusal: answer.code };
  throw answer.state === 'refused'
    ? new SubmissionRefused({ details })
    : new SubmissionExpired({ details });
}
