import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import {
  EXAMPLE_CALLDATA,
  EXAMPLE_POOL,
  FeltText,
  PROOF_BODY_BYTES,
  ProofCalldata,
} from '../schemas.js';
import { SUBMISSION_EXAMPLE, Submission } from './transactions.js';

const SubmissionParams = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .meta({
      description: 'Id from the `Location` header of the reply.',
      example: 'Zk3vQ0m1T7a8b9c0d1e2fA',
    }),
});

export const submission = describeRoute({
  method: 'get',
  path: '/api/relayer/submissions/:id',
  operationId: 'getSubmission',
  summary: 'Outcome of a withdrawal, deposit, batch, private swap or vault deployment',
  description:
    'A private swap that is REVERTED has `noteAtRisk` while its note is not known to be spent: its proof is public, and any account can use it to lose the note. ' +
    'Withdraw the note plainly at once, which is admitted when `finality` is ACCEPTED_ON_L2.\n\n' +
    'With `wait` the reply comes as soon as the outcome has the `progress` of `until`, or after `wait` seconds with the state of that time. ' +
    'Beyond the maximum of waiting requests, and while the service stops, the reply comes at once. The number of waiting requests is limited by address, by network and in total.',
  tag: 'relayer',
  limitedAs: 'reads',
  params: SubmissionParams,
  query: z.strictObject({
    wait: z
      .string()
      .regex(/^(?:[1-9]|[12]\d|30)$/, 'must be a whole number from 1 to 30')
      .transform(Number)
      .optional()
      .meta({
        description:
          'Maximum time in seconds until the reply, 1 to 30. Without it the reply comes at once.',
        example: '20',
      }),
    until: z.enum(['preconfirmed', 'accepted']).default('preconfirmed').meta({
      description: 'Lowest `progress` that ends the wait. ACCEPTED_ON_L1 takes hours: poll for it.',
    }),
  }),
  replies: {
    200: {
      description: 'The submission as the ledger has it now',
      schema: Submission,
      headers: {
        'Retry-After':
          'Seconds until the next poll; only while the outcome is UNKNOWN or, with `wait`, below `until`.',
      },
      examples: { succeeded: SUBMISSION_EXAMPLE },
    },
  },
  errors: CODES_OF.submission,
});

export const submissionEvents = describeRoute({
  method: 'get',
  path: '/api/relayer/submissions/:id/events',
  operationId: 'followSubmission',
  summary: 'Stream of the changes of a submission',
  description: [
    'Server-sent events. `submission`: the present state first, then the state after each change, as `Submission`. A slow reader gets only the newest state.',
    'The stream ends after the event whose `progress` is `accepted` or `settled`; close the `EventSource` then. It also ends after ten minutes and when the service stops: reconnect.',
    'Streams and waiting requests have common limits. Beyond them the stream ends after the first event, and `retry` is 1000 ms. A comment comes every few seconds without a change.',
  ].join('\n\n'),
  tag: 'relayer',
  limitedAs: 'reads',
  params: SubmissionParams,
  replies: {
    200: {
      description: 'The stream',
      contentType: 'text/event-stream',
      schema: z.string(),
      headers: {
        'Cache-Control': '`no-store, no-transform`',
        'X-Accel-Buffering': '`no`',
      },
      examples: {
        succeeded: {
          summary: 'Stream of a known outcome',
          value: `retry: 60000\nevent: submission\ndata: ${JSON.stringify(SUBMISSION_EXAMPLE.value)}\n\n`,
        },
      },
    },
  },
  errors: CODES_OF.submission,
});

const LookUpRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    calldata: ProofCalldata,
  })
  .meta({ id: 'LookUpRequest' });

export const lookUp = describeRoute({
  method: 'post',
  path: '/api/relayer/submissions/lookup',
  operationId: 'lookUpSubmission',
  summary: 'Find a note’s submission with a proof of the note',
  description:
    'For a caller that has lost the `Location`. Any proof of the note is accepted, at any root and on any terms, whether the note was withdrawn or swapped; ' +
    'the proof need not be one that was sent. Nothing is sent. A proof on chain is public, so any caller can use it here to get the outcome on chain and the submission’s id.',
  tag: 'relayer',
  limitedAs: 'quotes',
  felts: true,
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
          'Seconds until the next poll of the submission resource; only while the outcome is UNKNOWN.',
      },
      examples: { succeeded: SUBMISSION_EXAMPLE },
    },
  },
  errors: CODES_OF.lookUp,
});
