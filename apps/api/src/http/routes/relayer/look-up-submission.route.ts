import { z } from 'zod';
import type { LookUpSubmission, SwapOutcomes } from '@sotto/relayer-core';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { locationOf } from '../../location.js';
import { readFelt, readFelts } from '../../read-felt.js';
import {
  EXAMPLE_CALLDATA,
  EXAMPLE_POOL,
  FeltText,
  PROOF_BODY_BYTES,
  ProofCalldata,
} from '../../schemas.js';
import { SUBMISSION_EXAMPLE, Submission, submissionOf, whenToLookAgain } from './answers.js';

const LookUpRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    calldata: ProofCalldata,
  })
  .meta({ id: 'LookUpRequest' });

const lookUp = describeRoute({
  method: 'post',
  path: '/api/relayer/submissions/lookup',
  operationId: 'lookUpSubmission',
  summary: 'What became of a note, asked with a proof of it',
  description:
    'For a caller that has lost the `Location`. Any proof of the note does, at whatever root and on whatever terms, whether the note was withdrawn or swapped; ' +
    'it need not be one that was sent. Nothing is sent. Once a proof stands on chain it is public, so anybody may ask with it, and hears what the chain shows and the submission’s id.',
  tag: 'relayer',
  limitedAs: 'quotes',
  body: {
    schema: LookUpRequest,
    limitBytes: PROOF_BODY_BYTES,
    examples: {
      plain: {
        summary: 'A proof (calldata shortened)',
        value: { poolAddress: EXAMPLE_POOL, calldata: EXAMPLE_CALLDATA },
      },
    },
  },
  replies: {
    200: {
      description: 'The note’s submission as the ledger has it now',
      schema: Submission,
      headers: {
        Location: 'Submission resource.',
        'Retry-After':
          'Seconds after which to look at the submission resource; only while the outcome is UNKNOWN.',
      },
      examples: { succeeded: SUBMISSION_EXAMPLE },
    },
  },
  errors: ERRORS_OF.lookUp,
});

/** `POST /api/relayer/submissions/lookup`. */
export class LookUpSubmissionRoute implements Route {
  static readonly definition = lookUp;
  readonly definition = lookUp;
  readonly handler = handlerFor(lookUp, (input) => this.#answer(input));

  constructor(
    private readonly lookUpSubmission: LookUpSubmission,
    private readonly swapOutcomes: SwapOutcomes,
  ) {}

  async #answer({ body, caller }: InputOf<typeof lookUp>): Promise<AnswerOf<typeof lookUp>> {
    const pool = readFelt('body.poolAddress', body.poolAddress);
    const answer = await this.lookUpSubmission.execute(
      pool,
      readFelts('body.calldata', body.calldata),
      caller,
    );
    const swap = await this.swapOutcomes.describe(answer);
    const headers = { Location: locationOf(answer.attempt.id), ...whenToLookAgain(answer, swap) };
    return { status: 200, body: submissionOf(answer, swap), headers };
  }
}
