import { SubmissionNotFound, type GetSubmission } from '@sotto/relayer-core';
import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.js';
import { STORE_FAULTS } from '../../port-faults.js';
import { LOOK_AGAIN_SECONDS, Submission, submissionOf } from './answers.js';

/** `GET /api/relayer/submissions/{id}`: what became of a withdrawal. Its id is unguessable, so whoever has it may read. */
export const submissionRoute = (getSubmission: Pick<GetSubmission, 'execute'>): Route =>
  defineRoute({
    method: 'get',
    path: '/api/relayer/submissions/:id',
    operationId: 'getSubmission',
    summary: 'What became of a withdrawal',
    tag: 'relayer',
    params: z.strictObject({
      id: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .meta({ description: 'From the `Location` of the withdrawal’s answer.' }),
    }),
    replies: {
      200: {
        description: 'The submission as the ledger has it now',
        schema: Submission,
        headers: { 'Retry-After': 'Seconds after which to look again; only while the outcome is UNKNOWN.' },
      },
    },
    faults: [SubmissionNotFound, ...STORE_FAULTS],
    async handle({ params }) {
      const answer = await getSubmission.execute(params.id);
      return {
        status: 200,
        body: submissionOf(answer),
        headers: answer.kind === 'undecided' ? { 'Retry-After': String(LOOK_AGAIN_SECONDS) } : {},
      };
    },
  });
