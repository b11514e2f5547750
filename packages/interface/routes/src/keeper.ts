import {
  CODES_OF,
  MOST_SHOWN_SUBJECTS,
  SKIP_REASONS,
  SKIP_REASON_NAMES,
  TASKS,
  TASK_NAMES,
} from '@sotto/facts';
import * as z from 'zod';
import { describeRoute } from './definition.js';
import { AmountText, SMALL_BODY_BYTES } from './schemas.js';

const Seconds = z.int().nullable().meta({ description: 'Unix seconds.' });

const Pause = z
  .object({ reason: z.string(), since: z.int() })
  .nullable()
  .meta({ id: 'TaskPause', description: 'Set by an operator; null while it is not paused.' });

/** Public view of one subject of a task: the result of the task's last check. */
export const Subject = z
  .object({
    subject: z.string().meta({ description: 'Public name: a vault’s, a pool’s, an order’s.' }),
    paused: Pause,
    lastLookAt: Seconds,
    outcome: z.enum(['acted', 'skipped']).nullable().meta({
      description:
        'Outcome of the last check; null if there was none within a day. A submission counts as skipped with `IN_FLIGHT` until the chain has executed it.',
    }),
    reason: z.enum(SKIP_REASON_NAMES).nullable().meta({
      description:
        'Why nothing was done; null if something was done, and for the treasury, whose reasons are shown to operators only.',
    }),
    meaning: z.string().nullable().meta({ description: 'The reason in a sentence.' }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description:
        'Facts that the decision was based on, limited to data that is public on chain: never terms of a call.',
    }),
    dueAt: Seconds.meta({ description: 'When the next action may be due, if known.' }),
    lastActed: z
      .object({ at: z.int(), submission: z.string() })
      .nullable()
      .meta({ description: 'Last action that the chain has executed; null before the first.' }),
  })
  .meta({ id: 'TaskSubject' });

const AnyTask = z.object({
  task: z.enum(TASK_NAMES),
  does: z.string(),
  on: z.boolean().meta({ description: 'True if the settings of the answering process enable it.' }),
  held: z.boolean().meta({ description: 'True if a process holds its lease now.' }),
  paused: Pause,
});

const Task = AnyTask.extend({
  subjects: z
    .array(Subject)
    .max(2 * MOST_SHOWN_SUBJECTS)
    .meta({
      description: `By name: the first ${MOST_SHOWN_SUBJECTS}, plus the first ${MOST_SHOWN_SUBJECTS} that need an operator’s attention.`,
    }),
  leftOut: z.int().min(0).meta({ description: 'Number of subjects that are not shown.' }),
}).meta({ id: 'KeeperTask' });

const Earned = z
  .object({ token: z.string(), amount: AmountText })
  .meta({ id: 'EarnedFee', description: 'Amount in the token’s smallest unit.' });

const OperatedWindow = z
  .object({
    limitFri: AmountText,
    spentFri: AmountText.meta({
      description: 'Gas spent by submissions that ended within the window.',
    }),
    leftFri: AmountText.nullable().meta({
      description:
        'Remaining budget, less the gas of submissions in flight; null while the gas price is not known.',
    }),
    earned: z.array(Earned).meta({
      description:
        'Minimum earnings of the submissions that succeeded within the window, by token.',
    }),
  })
  .meta({ id: 'OperatedTaskWindow' });

const OperatedSubject = Subject.extend({
  outcome: Subject.shape.outcome.meta({
    description: 'Outcome of the last check; null if there was none within a day.',
  }),
  reason: Subject.shape.reason.meta({
    description: 'Why nothing was done; null if something was done.',
  }),
  since: Seconds.meta({
    description: 'First check with this result: acted, or skipped for this reason.',
  }),
  details: Subject.shape.details.meta({ description: 'Facts that the decision was based on.' }),
  lastActed: Subject.shape.lastActed.meta({
    description: 'Last submission, settled or not.',
  }),
}).meta({ id: 'OperatedTaskSubject' });

/** View of a task for operators. */
export const OperatedTask = AnyTask.extend({
  budget: z.object({ hour: OperatedWindow, day: OperatedWindow }),
  subjects: z.array(OperatedSubject),
}).meta({ id: 'OperatedTask' });

const WINDOW_EXAMPLE = {
  limitFri: '50000000000000000000',
  spentFri: '480000000000000000',
  leftFri: '49520000000000000000',
  earned: [],
};

export const SUBJECT_EXAMPLE = {
  subject: 'sentinel',
  paused: null,
  lastLookAt: 1_760_000_000,
  outcome: 'skipped' as const,
  reason: 'NOT_SETTLED' as const,
  meaning: SKIP_REASONS.NOT_SETTLED,
  details: { idleSats: '1250000' },
  dueAt: null,
  lastActed: { at: 1_759_990_000, submission: '6b0d7f0e-3c55-4f1d-9c1f-1d0f2a7a9e31' },
};

const ANY_TASK_EXAMPLE = {
  task: 'curator' as const,
  does: TASKS.curator,
  on: true,
  held: true,
  paused: null,
};
const TASK_EXAMPLE = { ...ANY_TASK_EXAMPLE, subjects: [SUBJECT_EXAMPLE], leftOut: 0 };

export const OPERATED_TASK_EXAMPLE = {
  ...ANY_TASK_EXAMPLE,
  budget: {
    hour: WINDOW_EXAMPLE,
    day: { ...WINDOW_EXAMPLE, limitFri: '300000000000000000000' },
  },
  subjects: [{ ...SUBJECT_EXAMPLE, since: 1_759_999_700 }],
};

const PAUSED_EXAMPLE = {
  ...OPERATED_TASK_EXAMPLE,
  paused: { reason: 'The vaults are being upgraded.', since: 1_760_000_000 },
};

export const KEEPER_CACHE = {
  cacheControl: 'public, max-age=5',
  freshMs: 1_000,
  staleMs: 5_000,
} as const;

export const keeperStatus = describeRoute({
  method: 'get',
  path: '/api/keeper/status',
  operationId: 'getKeeperStatus',
  summary: 'Keeper tasks and why they are idle',
  description:
    'Each task with its subjects: the last check of each, the reason if nothing was done, and when something is due. Covers all processes on the same store. A submission is shown only after the chain has executed it.',
  tag: 'keeper',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'The present state',
      schema: z.object({ tasks: z.array(Task) }).meta({ id: 'KeeperStatus' }),
      examples: { waiting: { summary: 'Funds that settle', value: { tasks: [TASK_EXAMPLE] } } },
    },
  },
  cached: KEEPER_CACHE,
  errors: CODES_OF.keeperStatus,
});

const Multiple = z
  .object({
    multiple: z.string().meta({ description: 'Decimal text with six places.' }),
    band: z.string().meta({ description: 'Factor applied to a smart order’s amount.' }),
  })
  .meta({ id: 'ShownMultiple' });

const Mayer = z
  .object({
    block: z.int(),
    at: z.int().meta({ description: 'Time of the block, in Unix seconds.' }),
    contract: Multiple.meta({
      description: 'The contract’s multiple, which determines the amounts.',
    }),
    own: Multiple.nullable().meta({
      description:
        'Multiple computed from spot price and daily closes; null if these are insufficient.',
    }),
    verdict: z.enum(['confirmed', 'disputed', 'unknown', 'off']).meta({
      description:
        'Smart orders are executed only while it is `confirmed`: both multiples are in one band and at most 2 % apart.',
    }),
    spotUsd: z.string().nullable(),
    meanUsd: z.string().nullable().meta({
      description: 'Mean of the last 200 daily closes; null with fewer than 195.',
    }),
    days: z.object({ agreed: z.int(), missing: z.int(), disputed: z.int() }),
    bands: z.array(z.string()),
  })
  .meta({ id: 'MayerMultiple' });

export const keeperMayer = describeRoute({
  method: 'get',
  path: '/api/keeper/mayer',
  operationId: 'getMayerMultiple',
  summary: 'Mayer Multiple used for smart orders',
  description:
    'BTC’s price divided by the mean of its last 200 daily closes: the contract’s value, and the independent value that it is checked against.',
  tag: 'keeper',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'State at the newest block',
      schema: Mayer,
      examples: {
        confirmed: {
          summary: 'Smart orders are executed',
          value: {
            block: 1_204_511,
            at: 1_760_000_000,
            contract: { multiple: '0.900000', band: '1.25' },
            own: { multiple: '0.901240', band: '1.25' },
            verdict: 'confirmed',
            spotUsd: '100000.00',
            meanUsd: '110958.00',
            days: { agreed: 200, missing: 0, disputed: 0 },
            bands: ['1.5', '1.25', '1', '0.75', '0.5'],
          },
        },
      },
    },
  },
  cached: KEEPER_CACHE,
  errors: CODES_OF.keeperMayer,
});

const Order = z
  .object({
    order: AmountText.meta({ description: 'Id of the order in the contract.' }),
    state: z.enum(['due', 'waiting', 'ended', 'unreadable']),
    sellToken: z.string().nullable(),
    sellSymbol: z.string().nullable(),
    amount: AmountText.nullable().meta({
      description: 'Amount of one execution at 1×, in the sell token’s smallest unit.',
    }),
    remaining: AmountText.nullable(),
    frequencySeconds: z.int().nullable(),
    total: z.int().nullable(),
    executed: z.int().nullable(),
    smart: z.boolean().nullable(),
    nextDueAt: Seconds,
  })
  .meta({ id: 'PurchaseOrder' });

const ORDERS_PAGE = 100;

export const keeperOrders = describeRoute({
  method: 'get',
  path: '/api/keeper/orders',
  operationId: 'listPurchaseOrders',
  summary: 'Open orders of recurring purchases',
  description: 'All orders are read at one block and listed by ascending id, without their owners.',
  tag: 'keeper',
  limitedAs: 'reads',
  query: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,20}$/, 'must be the id of an order')
      .optional()
      .meta({ description: 'Last order of the previous page.', example: '17' }),
  }),
  replies: {
    200: {
      description: 'A page of orders',
      schema: z
        .object({
          contract: z.string(),
          block: z.int(),
          at: z.int().meta({ description: 'Time of the block, in Unix seconds.' }),
          knownThroughBlock: z.int().nullable().meta({
            description: 'Orders of later blocks may be missing; null before any block was read.',
          }),
          orders: z.array(Order).max(ORDERS_PAGE),
          next: AmountText.nullable().meta({
            description: 'Value of `after` for the next page; null on the last page.',
          }),
        })
        .meta({ id: 'PurchaseOrders' }),
      examples: {
        one: {
          summary: 'One order',
          value: {
            contract: '0x730f5de50171590132ff9238859d7eccbfa8359393f52083b3b88b397955e56',
            block: 1_204_511,
            at: 1_760_000_000,
            knownThroughBlock: 1_204_511,
            orders: [
              {
                order: '1',
                state: 'waiting',
                sellToken: '0x33068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fb',
                sellSymbol: 'USDC',
                amount: '100000000',
                remaining: '1350000000',
                frequencySeconds: 86_400,
                total: 10,
                executed: 1,
                smart: true,
                nextDueAt: 1_760_080_000,
              },
            ],
            next: null,
          },
        },
      },
    },
  },
  cached: KEEPER_CACHE,
  errors: CODES_OF.keeperOrders,
});

const TaskName = z.object({
  task: z.string().min(1).max(40).meta({ description: 'Name of a task.', example: 'curator' }),
});

const SubjectName = z.string().min(1).max(80).optional().meta({
  description: 'Only this subject; if omitted, the whole task.',
});

const onTask = {
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: TaskName,
  errors: CODES_OF.taskControl,
} as const;

export const pauseTask = describeRoute({
  ...onTask,
  method: 'post',
  path: '/api/operator/tasks/:task/pause',
  operationId: 'pauseTask',
  summary: 'Pause a task',
  description:
    'No process submits anything more for the task, or for one of its subjects, until it is resumed; restarts do not end the pause. Submissions that exist already continue.',
  body: {
    schema: z
      .strictObject({
        reason: z.string().trim().min(1).max(200).meta({ description: 'Shown to the public.' }),
        subject: SubjectName,
      })
      .meta({ id: 'PauseTaskRequest' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      upgrade: { summary: 'An upgrade', value: { reason: 'The vaults are being upgraded.' } },
    },
  },
  replies: {
    200: {
      description: 'The task after the pause',
      schema: OperatedTask,
      examples: { paused: { summary: 'Paused', value: PAUSED_EXAMPLE } },
    },
  },
});

export const resumeTask = describeRoute({
  ...onTask,
  method: 'post',
  path: '/api/operator/tasks/:task/resume',
  operationId: 'resumeTask',
  summary: 'Resume a task',
  description:
    'Ends the pause and resets the count of failures: a subject that has failed too often is tried again. A pause of the whole task still applies to a subject that is resumed.',
  body: {
    schema: z
      .strictObject({
        subject: SubjectName,
        reason: z.string().trim().min(1).max(200).optional().meta({
          description: 'Reason, for the log of operators’ actions.',
        }),
      })
      .meta({ id: 'ResumeTaskRequest' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: { all: { summary: 'The whole task', value: {} } },
  },
  replies: {
    200: {
      description: 'The task after the resumption',
      schema: OperatedTask,
      examples: { open: { summary: 'Resumed', value: OPERATED_TASK_EXAMPLE } },
    },
  },
});

const LeverageTarget = z
  .object({
    vault: z.string(),
    target: z.number().nullable().meta({
      description: 'Collateral over equity: 1 is no debt. Null: the vault is left as it is.',
    }),
    setAt: Seconds,
  })
  .meta({ id: 'LeverageTarget' });

export const setLeverage = describeRoute({
  method: 'post',
  path: '/api/operator/leverage/:vault',
  operationId: 'setLeverage',
  summary: 'Set the target leverage of a vault',
  description:
    'The keeper moves the vault to the target, up or down, in rounds. This request itself submits nothing.',
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: z.object({
    vault: z.string().min(1).max(40).meta({ description: 'Name of the vault.', example: 'turbo' }),
  }),
  body: {
    schema: z
      .strictObject({
        target: z.number().nullable().meta({
          description:
            'From 1, which is no debt, to 5, in steps of 0.0001; null leaves the vault as it is.',
        }),
        reason: z.string().trim().min(1).max(200).optional().meta({
          description: 'Reason, for the log of operators’ actions.',
        }),
      })
      .meta({ id: 'LeverageRequest' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: { three: { summary: 'Three times', value: { target: 3 } } },
  },
  replies: {
    200: {
      description: 'The stored target',
      schema: LeverageTarget,
      examples: {
        three: {
          summary: 'Three times',
          value: { vault: 'turbo', target: 3, setAt: 1_760_000_000 },
        },
      },
    },
  },
  errors: CODES_OF.leverage,
});
