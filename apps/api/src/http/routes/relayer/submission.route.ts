import type { DepositOutcomes, GetSubmission, SwapOutcomes } from '@sotto/relayer-core';
import { SubmissionNotFound } from '@sotto/relayer-core';
import { z } from 'zod';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { STORE_ERRORS } from '../../port-errors.js';
import { SUBMISSION_EXAMPLE, Submission, submissionOf, whenToLookAgain } from './answers.js';

const submission = describeRoute({
  method: 'get',
  path: '/api/relayer/submissions/:id',
  operationId: 'getSubmission',
  summary: 'What became of a withdrawal, deposit, batch, private swap or vault deployment',
  tag: 'relayer',
  limitedAs: 'reads',
  params: z.strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .meta({
        description: 'From the `Location` of the answer.',
        example: 'Zk3vQ0m1T7a8b9c0d1e2fA',
      }),
  }),
  replies: {
    200: {
      description: 'The submission as the ledger has it now',
      schema: Submission,
      headers: {
        'Retry-After': 'Seconds after which to look again; only while the outcome is UNKNOWN.',
      },
      examples: { succeeded: SUBMISSION_EXAMPLE },
    },
  },
  errors: [SubmissionNotFound, ...STORE_ERRORS],
});

/**
 * `GET /api/relayer/submissions/{id}`. The id can't be guessed, so any caller that has it may read.
 */
export class SubmissionRoute implements Route {
  static readonly definition = submission;
  readonly definition = submission;
  readonly handler = handlerFor(submission, (input) => this.#answer(input));

  constructor(
    private readonly getSubmission: GetSubmission,
    private readonly swapOutcomes: SwapOutcomes,
    private readonly depositOutcomes: DepositOutcomes,
  ) {}

  async #answer({ params }: InputOf<typeof submission>): Promise<AnswerOf<typeof submission>> {
    const answer = await this.getSubmission.execute(params.id);
    const swap = await this.swapOutcomes.describe(answer);
    const deposit = await this.depositOutcomes.describe(answer);
    return {
      status: 200,
      body: submissionOf(answer, swap, deposit),
      headers: whenToLookAgain(answer, deposit ?? swap),
    };
  }
}
