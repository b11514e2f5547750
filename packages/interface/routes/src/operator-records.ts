import { CODES_OF, OPERATOR_ACTIONS } from '@sotto/facts';
import * as z from 'zod';
import { describeRoute } from './definition.js';
import { AmountText } from './schemas.js';

const onOperator = { tag: 'operator', credential: 'operator', limitedAs: 'quotes' } as const;

const AuditEntry = z
  .object({
    id: z.int().min(1).meta({ description: 'Ascending; a missing number was never assigned.' }),
    at: z.int().meta({ description: 'Unix seconds, by the clock of the store.' }),
    holder: z
      .string()
      .meta({ description: 'Name of the token that was used, never the token itself.' }),
    action: z.enum(OPERATOR_ACTIONS),
    subject: z.string().meta({
      description: 'Object of the action: a pool’s key, an account, a task, a submission’s id.',
    }),
    reason: z.string().nullable().meta({ description: 'Reason given by the operator.' }),
    outcome: z.string().nullable().meta({
      description:
        '`DONE`, or the code of the error. Null while the action is in progress, or if the instance ended before it finished: it may have had its effect.',
    }),
  })
  .meta({ id: 'AuditEntry' });

const ENTRY_EXAMPLE = {
  id: 17,
  at: 1_760_000_000,
  holder: 'alice',
  action: 'pool.pause' as const,
  subject: 'sentinel_1x',
  reason: 'The pool’s contract is being upgraded.',
  outcome: 'DONE',
};

export const auditLog = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/audit-log',
  operationId: 'getAuditLog',
  summary: 'Actions of operators, newest first',
  description:
    'Covers all instances on the store. An entry is written before its action begins, and entries are never removed.',
  query: z.strictObject({
    after: z
      .string()
      .regex(/^[1-9]\d{0,14}$/)
      .transform(Number)
      .optional()
      .meta({ description: 'The `next` of the previous page.', example: '17' }),
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/)
      .transform(Number)
      .refine((limit) => limit <= 200, 'must be at most 200')
      .optional()
      .meta({ description: 'At most 200; default 50.', example: '50' }),
  }),
  replies: {
    200: {
      description: 'A page of the log',
      schema: z
        .object({
          entries: z.array(AuditEntry),
          next: z
            .int()
            .nullable()
            .meta({ description: 'Value of `after` for the next page; null on the last page.' }),
        })
        .meta({ id: 'AuditLog' }),
      examples: { page: { summary: 'One entry', value: { entries: [ENTRY_EXAMPLE], next: null } } },
    },
  },
  errors: CODES_OF.auditLog,
});

/** Time windows for which charts are drawn. */
const SERIES_WINDOWS = ['1h', '6h', '24h', '7d'] as const;

const Count = z.int().min(0);

const Series = z
  .object({
    window: z.enum(SERIES_WINDOWS),
    bucketSeconds: z.int(),
    since: z.int().meta({ description: 'Start of the first bucket, in Unix seconds.' }),
    complete: z.boolean().meta({
      description:
        'False if more submissions ended in the window than a chart reads: older buckets are then incomplete.',
    }),
    buckets: z
      .array(
        z.object({
          at: z.int().meta({ description: 'Start of the bucket, in Unix seconds.' }),
          accepted: Count,
          succeeded: Count,
          reverted: Count,
          unsent: Count.meta({ description: 'Refused or expired.' }),
          latencyMs: z.object({ p50: Count, p95: Count }).nullable().meta({
            description:
              'Time from acceptance to the outcome in the ledger, for executed submissions; null without any.',
          }),
          queue: Count.meta({ description: 'Submissions in progress at the end of the bucket.' }),
        }),
      )
      .meta({ description: 'Oldest first, without gaps; the last bucket is incomplete.' }),
    pools: z.array(
      z.object({
        key: z.string(),
        earnedFri: z.array(AmountText).meta({
          description:
            'Fees of succeeded submissions, by bucket, at the prices of their admission.',
        }),
        paidFri: z
          .array(AmountText)
          .meta({ description: 'Gas charged, by bucket, including reverts and no-ops.' }),
      }),
    ),
  })
  .meta({ id: 'OperatorSeries' });

export const operatorSeries = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/series',
  operationId: 'getOperatorSeries',
  summary: 'Money, latency and queue over time',
  description: 'Data for charts, from the ledger’s rows of all instances.',
  query: z.strictObject({ window: z.enum(SERIES_WINDOWS).default('1h') }),
  replies: {
    200: {
      description: 'The series in buckets',
      schema: Series,
      examples: {
        hour: {
          summary: 'One bucket of an hour',
          value: {
            window: '1h',
            bucketSeconds: 60,
            since: 1_760_000_040,
            complete: true,
            buckets: [
              {
                at: 1_760_000_040,
                accepted: 4,
                succeeded: 3,
                reverted: 0,
                unsent: 0,
                latencyMs: { p50: 6_800, p95: 9_400 },
                queue: 1,
              },
            ],
            pools: [
              {
                key: 'sentinel_1x',
                earnedFri: ['6948837209302325581'],
                paidFri: ['843000000000000000'],
              },
            ],
          },
        },
      },
    },
  },
  errors: CODES_OF.operatorSeries,
});

export const operatorEvents = describeRoute({
  ...onOperator,
  method: 'get',
  path: '/api/operator/events',
  operationId: 'followOperatorEvents',
  summary: 'Stream of changes',
  description: [
    'Server-sent events. `resync` comes first, for any `Last-Event-ID`, and again whenever changes may have been missed: read the list again then.',
    '`submission`: a submission that changed, as `OperatedSubmission`. `lane`, `pool`: one that changed, as in the operator’s status.',
    'Each is read from the store or the engine when it is sent. A comment comes every 15 seconds. A reader that does not keep up is dropped, and so are streams when the service stops: reconnect.',
  ].join('\n\n'),
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
        begin: {
          summary: 'Start of a stream',
          value: 'retry: 3000\n\nid: 1\nevent: resync\ndata: {}\n\n: \n\n',
        },
      },
    },
  },
  errors: CODES_OF.operatorEvents,
});
