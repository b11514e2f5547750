import { progressOf, type SubmissionAnswer } from '@sotto/submission-core';

/** States of a submission that a message can report. */
export const SUBMISSION_STATES = [
  'preconfirmed_succeeded',
  'preconfirmed_reverted',
  'succeeded',
  'reverted',
  'final_succeeded',
  'final_reverted',
  'refused',
  'expired',
  'undone',
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

const EXECUTED = {
  PRE_CONFIRMED: { SUCCEEDED: 'preconfirmed_succeeded', REVERTED: 'preconfirmed_reverted' },
  ACCEPTED_ON_L2: { SUCCEEDED: 'succeeded', REVERTED: 'reverted' },
  ACCEPTED_ON_L1: { SUCCEEDED: 'final_succeeded', REVERTED: 'final_reverted' },
} as const;

/**
 * Returns the state of a submission for a message; null while there is nothing to report.
 * @param hasSaid true if an earlier message about the submission may have arrived. If the rows no
 *   longer contain an outcome, the state is then `undone`
 */
export function submissionStateOf(
  answer: SubmissionAnswer,
  hasSaid: boolean,
): SubmissionState | null {
  switch (answer.kind) {
    case 'executed':
      return EXECUTED[answer.finality][answer.execution];
    case 'rejected':
      return answer.state;
    case 'pending':
      return hasSaid ? 'undone' : null;
  }
}

/** Returns the content of a message about a submission. */
export function submissionBody(
  id: string,
  state: SubmissionState,
  answer: SubmissionAnswer,
): string {
  const hash = answer.kind === 'executed' ? answer.transactionHash : null;
  return JSON.stringify({ id, state, hash, progress: progressOf(answer) });
}
