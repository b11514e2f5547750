import type { SubmissionAnswer } from '@sotto/submission-core';
import { SubmissionExpired, SubmissionRefused } from '../../errors.js';

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
