import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import { AmountText, FeltText, SMALL_BODY_BYTES } from './schemas.js';

/** Rows of a page, and those of a page that names no number. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

const EXAMPLE_HASH = '0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0';
const EXAMPLE_LANE = '0x7a1e5f';
const EXAMPLE_CURSOR = '1760000000123-4711';

const SUBMISSION_STATES = [
  'accepted',
  'broadcast',
  'succeeded',
  'reverted',
  'refused',
  'expired',
] as const;

/** Names a place in the order of a list; only what `next` returned is one. */
const Cursor = z
  .string()
  .regex(/^\d{1,15}-\d{1,18}$/)
  .meta({
    description: 'The `next` of the page before: rows that were added since do not shift pages.',
    example: EXAMPLE_CURSOR,
  });

const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'For `after`; null when this page is the last.' });

const wholeNumber = (maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= maximum, `must be at most ${maximum}`);

const Limit = wholeNumber(MAX_PAGE)
  .refine((limit) => limit > 0, 'must be positive')
  .optional()
  .meta({ description: `At most ${MAX_PAGE}; ${DEFAULT_PAGE} if it is left out.`, example: '50' });

const UnixSeconds = z.int().meta({ description: 'Unix seconds, by the clock of the store.' });

const OperatedSubmission = z
  .object({
    id: z.string().meta({ description: 'Public id, as in `/api/relayer/submissions/{id}`.' }),
    attempt: z.int().min(1),
    kind: z.string().meta({
      description: 'What it is for, such as `withdraw`, `private_swap`, `deposit`, `deploy_batch`.',
      example: 'withdraw',
    }),
    pool: z.string().nullable().meta({
      description: 'Key of the pool in the profile; null for what is about no pool.',
      example: 'sentinel_1x',
    }),
    state: z.enum(SUBMISSION_STATES),
    lane: z.string().nullable().meta({ description: 'Null while it has no nonce.' }),
    nonce: AmountText.nullable(),
    transactionHashes: z
      .array(z.string())
      .meta({ description: 'Of every call that was signed for it, oldest first.' }),
    acceptedAt: UnixSeconds,
    endedAt: UnixSeconds.nullable(),
    gasPaidFri: AmountText.nullable().meta({
      description: 'What its transaction was charged; null before its end, and without one.',
    }),
    feeEarned: z
      .object({
        amount: AmountText.meta({ description: 'In the token’s smallest unit.' }),
        token: z.string(),
        fri: AmountText.meta({ description: 'The same in fri, at the prices of its admission.' }),
      })
      .nullable()
      .meta({ description: 'Null unless it succeeded with a fee inside.' }),
    code: z.string().nullable().meta({ description: 'Why it was refused or expired, else null.' }),
    revertReason: z.string().nullable(),
    answer: z
      .object({
        execution: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']).nullable(),
        finality: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']).nullable(),
        transactionHash: z.string().nullable(),
      })
      .meta({ description: 'What its caller gets from `/api/relayer/submissions/{id}` now.' }),
    reorged: z
      .boolean()
      .meta({ description: 'A rollback of the chain took an outcome of it back.' }),
  })
  .meta({ id: 'OperatedSubmission' });

const SUBMISSION_EXAMPLE = {
  id: 'Zk3vQ0m1T7a8b9c0d1e2fA',
  attempt: 1,
  kind: 'withdraw',
  pool: 'sentinel_1x',
  state: 'succeeded' as const,
  lane: EXAMPLE_LANE,
  nonce: '811',
  transactionHashes: [EXAMPLE_HASH],
  acceptedAt: 1_760_000_000,
  endedAt: 1_760_000_007,
  gasPaidFri: '281000000000000000',
  feeEarned: {
    amount: '166',
    token: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
    fri: '2316279069767441860',
  },
  code: null,
  revertReason: null,
  answer: {
    execution: 'SUCCEEDED' as const,
    finality: 'ACCEPTED_ON_L2' as const,
    transactionHash: EXAMPLE_HASH,
  },
  reorged: false,
};

const WAITING_EXAMPLE = {
  ...SUBMISSION_EXAMPLE,
  id: 'b1W9s2k7QmC4x0a8YtR3eg',
  state: 'accepted' as const,
  lane: null,
  nonce: null,
  transactionHashes: [],
  endedAt: null,
  gasPaidFri: null,
  feeEarned: null,
  answer: { execution: 'UNKNOWN' as const, finality: null, transactionHash: null },
};

const CANCELLED_EXAMPLE = {
  ...WAITING_EXAMPLE,
  state: 'refused' as const,
  endedAt: 1_760_000_020,
  code: 'CANCELLED_BY_OPERATOR',
  answer: { execution: null, finality: null, transactionHash: null },
};

const FilterQuery = {
  state: z.enum(SUBMISSION_STATES).optional(),
  kind: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/)
    .optional()
    .meta({ example: 'withdraw' }),
  pool: z.string().min(1).max(80).optional().meta({
    description: 'Key of the pool in the profile, or its address.',
    example: 'sentinel_1x',
  }),
  lane: FeltText.optional().meta({ description: 'Address of the account.', example: EXAMPLE_LANE }),
  since: wholeNumber(9_999_999_999).optional().meta({
    description: 'Accepted at this time or later, in Unix seconds.',
    example: '1760000000',
  }),
  until: wholeNumber(9_999_999_999).optional().meta({
    description: 'Accepted before this time, in Unix seconds.',
    example: '1760003600',
  }),
} as const;

const onOperator = { tag: 'operator', credential: 'operator', limitedAs: 'quotes' } as const;

export const operatedSubmissions = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/submissions',
  operationId: 'listOperatedSubmissions',
  felts: true,
  summary: 'Submissions, newest first',
  description:
    'Every filter narrows the list. No recipient, calldata, proof, nullifier and no caller’s address is in any answer.',
  query: z.strictObject({ ...FilterQuery, after: Cursor.optional(), limit: Limit }),
  replies: {
    200: {
      description: 'A page of the list',
      schema: z
        .object({ submissions: z.array(OperatedSubmission), next: NextCursor })
        .meta({ id: 'OperatedSubmissions' }),
      examples: {
        page: {
          summary: 'Two, and more to come',
          value: { submissions: [WAITING_EXAMPLE, SUBMISSION_EXAMPLE], next: EXAMPLE_CURSOR },
        },
      },
    },
  },
  errors: CODES_OF.operatedSubmissions,
});

export const searchSubmissions = describeRoute({
  ...onOperator,
  method: 'post',
  path: '/api/operator/submissions/search',
  operationId: 'searchSubmissions',
  summary: 'Submissions by id, transaction hash or nullifier hash',
  description:
    'In a body, so that what is looked for stands in no URL. Every attempt of the note or transaction is answered, newest first; the text itself is not.',
  body: {
    schema: z
      .strictObject({
        text: z.string().trim().min(1).max(80).meta({
          description: 'A submission’s id; or a transaction’s or nullifier’s hash, hex or decimal.',
          example: EXAMPLE_HASH,
        }),
      })
      .meta({ id: 'SubmissionSearch' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: { hash: { summary: 'By transaction hash', value: { text: EXAMPLE_HASH } } },
  },
  replies: {
    200: {
      description: 'What was found, if anything',
      schema: z
        .object({ submissions: z.array(OperatedSubmission) })
        .meta({ id: 'FoundSubmissions' }),
      examples: {
        one: { summary: 'One', value: { submissions: [SUBMISSION_EXAMPLE] } },
        none: { summary: 'None', value: { submissions: [] } },
      },
    },
  },
  errors: CODES_OF.operatedSubmissions,
});

const SignedTransaction = z
  .object({
    hash: z.string(),
    kind: z.enum(['call', 'noop']).meta({
      description: 'noop: a transaction that does nothing, to consume the nonce.',
    }),
    lane: z.string(),
    nonce: AmountText,
    priceStep: z
      .int()
      .min(0)
      .meta({ description: '0 for the first price, one more for each replacement.' }),
    maxL2GasPriceFri: AmountText,
    sends: z.int().min(0).meta({ description: '2 stands for more than one.' }),
    lastSentAt: UnixSeconds.nullable(),
    gone: z.enum(['refused', 'lost']).nullable().meta({
      description:
        'Why it can’t land any more. refused: the node turned it down for good. lost: another transaction has the nonce, until that one’s block is undone.',
    }),
    refusal: z.string().nullable().meta({ description: 'Code of the node’s refusal.' }),
    seen: z.enum(['SUCCEEDED', 'REVERTED']).nullable().meta({
      description: 'What a pre-confirmed block showed of it; often undone.',
    }),
  })
  .meta({ id: 'OperatedTransaction' });

const Block = z.object({ number: z.int().min(0), hash: z.string() }).meta({ id: 'BlockReference' });

const OperatedSubmissionDetail = z
  .object({
    submission: OperatedSubmission,
    deadline: UnixSeconds.meta({
      description: 'Unix seconds, after which nothing more is tried than to learn how it ended.',
    }),
    readmitted: z
      .boolean()
      .meta({ description: 'It has lost a nonce, and is checked again before the next.' }),
    block: Block.nullable().meta({
      description: 'That settled its nonce; null while none has, or none is known.',
    }),
    transactions: z.array(SignedTransaction).meta({ description: 'Oldest first.' }),
    cancellable: z.boolean().meta({
      description: 'Nothing of it was ever signed: `cancel` may still end it.',
    }),
    undone: z
      .object({
        transactionHash: z.string(),
        execution: z.enum(['SUCCEEDED', 'REVERTED']),
        at: UnixSeconds,
      })
      .nullable()
      .meta({ description: 'The outcome that a rollback of the chain took back.' }),
    timeline: z
      .array(
        z.object({
          at: UnixSeconds,
          what: z.enum(['accepted', 'sent', 'undone', 'ended']),
          transactionHash: z.string().nullable(),
          note: z.string().nullable().meta({
            description: 'For `ended` the state, for `sent` the step of the price.',
          }),
        }),
      )
      .meta({ description: 'What has a time in the ledger, oldest first.' }),
  })
  .meta({ id: 'OperatedSubmissionDetail' });

const DETAIL_EXAMPLE = {
  submission: SUBMISSION_EXAMPLE,
  deadline: 1_760_000_600,
  readmitted: false,
  block: { number: 1_204_511, hash: '0x3d5c8b2a' },
  transactions: [
    {
      hash: EXAMPLE_HASH,
      kind: 'call' as const,
      lane: EXAMPLE_LANE,
      nonce: '811',
      priceStep: 0,
      maxL2GasPriceFri: '16000000000',
      sends: 1,
      lastSentAt: 1_760_000_001,
      gone: null,
      refusal: null,
      seen: 'SUCCEEDED' as const,
    },
  ],
  cancellable: false,
  undone: null,
  timeline: [
    { at: 1_760_000_000, what: 'accepted' as const, transactionHash: null, note: null },
    { at: 1_760_000_001, what: 'sent' as const, transactionHash: EXAMPLE_HASH, note: '0' },
    { at: 1_760_000_007, what: 'ended' as const, transactionHash: EXAMPLE_HASH, note: 'succeeded' },
  ],
};

const SubmissionId = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .meta({ description: 'Public id of the submission.', example: SUBMISSION_EXAMPLE.id }),
});

export const operatedSubmission = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/submissions/:id',
  operationId: 'getOperatedSubmission',
  summary: 'One submission with its transactions',
  description: 'All attempts of the submission, and each transaction that was sent for it.',
  params: SubmissionId,
  replies: {
    200: {
      description: 'As the ledger has it now',
      schema: OperatedSubmissionDetail,
      examples: { succeeded: { summary: 'On chain', value: DETAIL_EXAMPLE } },
    },
  },
  errors: CODES_OF.operatedSubmission,
});

const Reason = z.string().trim().min(1).max(200).meta({
  description: 'Why, for the log of operators’ actions.',
});

const ActionRequest = z.strictObject({ reason: Reason }).meta({ id: 'SubmissionActionRequest' });

const onSubmission = {
  ...onOperator,
  method: 'post',
  params: SubmissionId,
  body: {
    schema: ActionRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: { asked: { summary: 'A request', value: { reason: 'The user asked for it.' } } },
  },
} as const;

export const retrySubmission = describeRoute({
  ...onSubmission,
  path: '/api/operator/submissions/:id/retry',
  operationId: 'retrySubmission',
  summary: 'Look at a submission now',
  description:
    'Every instance looks at once, instead of at its next turn, and sends what its rules say is to be sent. No nonce, price or transaction is chosen by this request.',
  replies: {
    200: {
      description: 'The submission as the ledger has it at this moment',
      schema: OperatedSubmission,
      examples: { waiting: { summary: 'It waits for a lane', value: WAITING_EXAMPLE } },
    },
  },
  errors: CODES_OF.retrySubmission,
});

export const cancelSubmission = describeRoute({
  ...onSubmission,
  path: '/api/operator/submissions/:id/cancel',
  operationId: 'cancelSubmission',
  summary: 'End a submission of which nothing was signed',
  description:
    'Its caller is answered with `SUBMISSION_REFUSED` and the refusal `CANCELLED_BY_OPERATOR`, and may send the same request again. What was signed is followed to its end instead: 409.',
  replies: {
    200: {
      description: 'The submission, ended',
      schema: OperatedSubmission,
      examples: { cancelled: { summary: 'Ended', value: CANCELLED_EXAMPLE } },
    },
  },
  errors: CODES_OF.cancelSubmission,
});

const CSV_HEADER =
  'id,attempt,kind,pool,state,lane,nonce,transaction_hashes,accepted_at,ended_at,gas_paid_fri,fee_amount,fee_token,fee_fri,code,revert_reason,execution,finality,reorged';

export const exportSubmissions = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/submissions.csv',
  operationId: 'exportSubmissions',
  felts: true,
  summary: 'Submissions as CSV, newest first',
  description:
    'The filters of the list. Columns are those of the list’s rows, times as ISO 8601, hashes with spaces between. A cell that a spreadsheet would take for a formula has an apostrophe before it. Streamed as it is read: an export that fails on its way breaks the connection.',
  query: z.strictObject(FilterQuery),
  replies: {
    200: {
      description: 'RFC 4180, UTF-8',
      contentType: 'text/csv',
      schema: z.string(),
      headers: { 'Content-Disposition': '`attachment`, with a name of the file.' },
      examples: {
        one: {
          summary: 'One submission',
          value: `${CSV_HEADER}\r\n${SUBMISSION_EXAMPLE.id},1,withdraw,sentinel_1x,succeeded,0x7a1e5f,811,${EXAMPLE_HASH},2025-10-09T08:53:20Z,2025-10-09T08:53:27Z,281000000000000000,166,0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac,2316279069767441860,,,SUCCEEDED,ACCEPTED_ON_L2,false\r\n`,
        },
      },
    },
  },
  errors: CODES_OF.operatedSubmissions,
});
