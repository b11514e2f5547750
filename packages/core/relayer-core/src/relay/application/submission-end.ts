import type { SubmissionAnswer } from '@sotto/submission-core';
import { SubmissionExpired, SubmissionRefused } from '../../errors.js';

/**
 * Answer for a submission that was not rejected: its transaction was executed, or its outcome is
 * still undecided.
 */
export type StandingAnswer = Exclude<SubmissionAnswer, { readonly kind: 'rejected' }>;

/**
 * @throws SubmissionRefused, SubmissionExpired if no transaction of the submission is on chain or
 *   can still be included
 */
export function assertNotRejected(answer: SubmissionAnswer): StandingAnswer {
  if (answer.kind !== 'rejected') return answer;
  const details = { refusal: answer.code };
  throw answer.state === 'refused'
    ? new SubmissionRefused({ details })
    : new SubmissionExpired({ details });
}
