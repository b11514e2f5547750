import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from './definition.js';
import { AmountText, FeltText, SMALL_BODY_BYTES } from './schemas.js';

/** Maximum and default number of rows on a page. */
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

/** Cursor: a position in a sorted list. Only values that a reply returned as `next` are valid. */
const Cursor = z
  .string()
  .regex(/^\d{1,15}-\d{1,18}$/)
  .meta({
    description: 'The `next` of the previous page. Rows added since then do not shift pages.',
    example: EXAMPLE_CURSOR,
  });

const NextCursor = z
  .string()
  .nullable()
  .meta({ description: 'Value of `after` for the next page; null on the last page.' });

const wholeNumber = (maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value <= maximum, `must be at most ${maximum}`);

const Limit = wholeNumber(MAX_PAGE)
  .refine((limit) => limit > 0, 'must be positive')
  .optional()
  .meta({ description: `At most ${MAX_PAGE}; default ${DEFAULT_PAGE}.`, example: '50' });

const UnixSeconds = z.int().meta({ description: 'Unix seconds, by the clock of the store.' });

const OperatedSubmission = z
  .object({
    id: z.string().meta({ description: 'Public id, as in `/api/relayer/submissions/{id}`.' }),
    attempt: z.int().min(1),
    kind: z.string().meta({
      description: 'Purpose, such as `withdraw`, `private_swap`, `deposit`, `deploy_batch`.',
      example: 'withdraw',
    }),
    pool: z.string().nullable().meta({
      description: 'Key of the pool in the profile; null if it concerns no pool.',
      example: 'sentinel_1x',
    }),
    state: z.enum(SUBMISSION_STATES),
    lane: z
      .string()
      .nullable()
      .meta({ description: 'Address of the lane; null while no nonce is assigned.' }),
    nonce: AmountText.nullable(),
    transactionHashes: z
      .array(z.string())
      .meta({ description: 'Hashes of every call that was signed for it, oldest first.' }),
    acceptedAt: UnixSeconds,
    endedAt: UnixSeconds.nullable(),
    gasPaidFri: AmountText.nullable().meta({
      description:
        'Gas charged for its transaction; null before its end, or if nothing was charged.',
    }),
    feeEarned: z
      .object({
        amount: AmountText.meta({
          description:
            'Fee in the token’s smallest unit, less the price of STRK that the recipient got.',
        }),
        token: z.string(),
        fri: AmountText.meta({ description: 'The fee in fri, at the prices of its admission.' }),
      })
      .nullable()
      .meta({ description: 'Null unless it succeeded and included a fee.' }),
    code: z.string().nullable().meta({ description: 'Why it was refused or expired, else null.' }),
    revertReason: z.string().nullable(),
    answer: z
      .object({
        execution: z.enum(['SUCCEEDED', 'REVERTED', 'UNKNOWN']).nullable(),
        finality: z.enum(['PRE_CONFIRMED', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1']).nullable(),
        transactionHash: z.string().nullable(),
      })
      .meta({ description: 'Result that `/api/relayer/submissions/{id}` returns now.' }),
    reorged: z
      .boolean()
      .meta({ description: 'True if a rollback of the chain reverted one of its outcomes.' }),
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
    'Filters are combined with AND. No reply contains a recipient, calldata, proof, nullifier or caller’s address.',
  query: z.strictObject({ ...FilterQuery, after: Cursor.optional(), limit: Limit }),
  replies: {
    200: {
      description: 'A page of the list',
      schema: z
        .object({ submissions: z.array(OperatedSubmission), next: NextCursor })
        .meta({ id: 'OperatedSubmissions' }),
      examples: {
        page: {
          summary: 'Two rows, and more to follow',
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
    'The text is sent in the body so that it appears in no URL. Returns every attempt of the note or transaction, newest first, without the text.',
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
      description: 'The matching submissions, if any',
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
      description: 'noop: a transaction without calls that consumes the nonce.',
    }),
    lane: z.string(),
    nonce: AmountText,
    priceStep: z
      .int()
      .min(0)
      .meta({ description: '0 for the first price, plus one for each replacement.' }),
    maxL2GasPriceFri: AmountText,
    sends: z.int().min(0).meta({ description: 'Number of sends; 2 means more than one.' }),
    lastSentAt: UnixSeconds.nullable(),
    gone: z.enum(['refused', 'lost']).nullable().meta({
      description:
        'Why it can no longer land. refused: the node rejected it permanently. lost: another transaction consumed the nonce; it may land again if that block is rolled back.',
    }),
    refusal: z.string().nullable().meta({ description: 'Code of the node’s rejection.' }),
    seen: z.enum(['SUCCEEDED', 'REVERTED']).nullable().meta({
      description: 'Result in a pre-confirmed block; often rolled back.',
    }),
  })
  .meta({ id: 'OperatedTransaction' });

const Block = z.object({ number: z.int().min(0), hash: z.string() }).meta({ id: 'BlockReference' });

const OperatedSubmissionDetail = z
  .object({
    submission: OperatedSubmission,
    deadline: UnixSeconds.meta({
      description:
        'Unix seconds. After this time only its outcome is determined; nothing more is sent.',
    }),
    readmitted: z
      .boolean()
      .meta({ description: 'It lost its nonce and is checked again before it gets another.' }),
    block: Block.nullable().meta({
      description: 'Block that settled its nonce; null if not settled or not known.',
    }),
    transactions: z.array(SignedTransaction).meta({ description: 'Oldest first.' }),
    cancellable: z.boolean().meta({
      description: 'True if nothing was ever signed for it: `cancel` can still end it.',
    }),
    undone: z
      .object({
        transactionHash: z.string(),
        execution: z.enum(['SUCCEEDED', 'REVERTED']),
        at: UnixSeconds,
      })
      .nullable()
      .meta({ description: 'Outcome that a rollback of the chain reverted.' }),
    timeline: z
      .array(
        z.object({
          at: UnixSeconds,
          what: z.enum(['accepted', 'sent', 'undone', 'ended']),
          transactionHash: z.string().nullable(),
          note: z.string().nullable().meta({
            description: 'The state for `ended`, the price step for `sent`.',
          }),
        }),
      )
      .meta({ description: 'Events that have a time in the ledger, oldest first.' }),
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
      description: 'The submission as the ledger has it now',
      schema: OperatedSubmissionDetail,
      examples: { succeeded: { summary: 'On chain', value: DETAIL_EXAMPLE } },
    },
  },
  errors: CODES_OF.operatedSubmission,
});

const Reason = z.string().trim().min(1).max(200).meta({
  description: 'Reason, for the log of operators’ actions.',
});

const ActionRequest = z.strictObject({ reason: Reason }).meta({ id: 'SubmissionActionRequest' });

const onSubmission = {
  ...onOperator,
  method: 'post',
  params: SubmissionId,
  body: {
    schema: ActionRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: { asked: { summary: 'A request', value: { reason: 'The user requested this.' } } },
  },
} as const;

export const retrySubmission = describeRoute({
  ...onSubmission,
  path: '/api/operator/submissions/:id/retry',
  operationId: 'retrySubmission',
  summary: 'Process a submission now',
  description:
    'Every instance polls immediately instead of at its next interval, and sends the transactions that its rules require. This request does not choose a nonce, price or transaction.',
  replies: {
    200: {
      description: 'The submission as the ledger has it now',
      schema: OperatedSubmission,
      examples: { waiting: { summary: 'Waiting for a lane', value: WAITING_EXAMPLE } },
    },
  },
  errors: CODES_OF.retrySubmission,
});

export const cancelSubmission = describeRoute({
  ...onSubmission,
  path: '/api/operator/submissions/:id/cancel',
  operationId: 'cancelSubmission',
  summary: 'End a submission that was never signed',
  description:
    'Its caller receives `SUBMISSION_REFUSED` with the refusal `CANCELLED_BY_OPERATOR` and may send the same request again. A submission that was signed can’t be cancelled and continues to its end: 409.',
  replies: {
    200: {
      description: 'The submission after its end',
      schema: OperatedSubmission,
      examples: { cancelled: { summary: 'Cancelled', value: CANCELLED_EXAMPLE } },
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
    'Accepts the filters of the list. Columns are those of the list’s rows, times are ISO 8601, hashes are separated by spaces. A cell that a spreadsheet would interpret as a formula starts with an apostrophe. The file is streamed: if the export fails midway, the connection is closed.',
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
