import type { SubmissionAnswer } from '@sotto/submission-core';
import { SubmissionExpired, SubmissionRefused } from '../../errors.js';

/** Answer for a submission that was neither refused nor expired: executed, or undecided. */
export type StandingAnswer = Exclude<SubmissionAnswer, { readonly kind: 'rejected' }>;

/**
 * @throws SubmissionRefused, SubmissionExpired if no transaction of the submission is or can be on
 *   chain
 */
export function assertNotRejected(answer: SubmissionAnswer): StandingAnswer {
  if (answer.kind !== 'rejected') return answer;
  const details = { refusal: answer.code };
  throw answer.state === 'refused'
    ? new SubmissionRefused({ details })
    : new SubmissionExpired({ details });
}
