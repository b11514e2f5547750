import { CODES_OF } from '@sotto/facts';
import type { SubmissionAnswer, Submissions } from '@sotto/submission-core';
import { SubmissionNotFound } from '../../errors.js';

/** Returns what became of a submission, also when it ended without execution. */
export class GetSubmission {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.submission;

  constructor(private readonly submissions: Submissions) {}

  /** @throws SubmissionNotFound for an id that no attempt has. */
  async execute(id: string): Promise<SubmissionAnswer> {
    const answer = await this.submissions.find(id);
    if (answer === null) throw new SubmissionNotFound();
    return answer;
  }
}
