import { CODES_OF } from '@sotto/facts';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import { SubmissionNotFound } from '../../errors.js';

/** Returns the outcome of a submission, also if the submission ended without execution. */
export class GetSubmission {
  /** Error codes of its API route. */
  static readonly throws = CODES_OF.submission;

  constructor(private readonly submissions: Submissions) {}

  /** @throws SubmissionNotFound if no attempt has this id */
  async execute(id: string): Promise<SubmissionAnswer> {
    const answer = await this.submissions.find(id);
    if (answer === null) throw new SubmissionNotFound();
    return answer;
  }
}
