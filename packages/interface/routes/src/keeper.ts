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

/** Last look at a subject of a task, as the public sees it. */
export const Subject = z
  .object({
    subject: z.string().meta({ description: 'Public name: a vault’s, a pool’s, an order’s.' }),
    paused: Pause,
    lastLookAt: Seconds,
    outcome: z.enum(['acted', 'skipped']).nullable().meta({
      description:
        'Of the last look; null where none was within a day. What is submitted counts as skipped, `IN_FLIGHT`, until the chain has executed it.',
    }),
    reason: z.enum(SKIP_REASON_NAMES).nullable().meta({
      description:
        'Why nothing was done; null when something was, and for the treasury: its reasons are its operator’s.',
    }),
    meaning: z.string().nullable().meta({ description: 'The reason in a sentence.' }),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description:
        'What the decision was made from, as far as the chain shows it to everybody: never terms of a call.',
    }),
    dueAt: Seconds.meta({ description: 'When something may be done next, where that is known.' }),
    lastActed: z
      .object({ at: z.int(), submission: z.string() })
      .nullable()
      .meta({ description: 'Once the chain has executed it; null before.' }),
  })
  .meta({ id: 'TaskSubject' });

const AnyTask = z.object({
  task: z.enum(TASK_NAMES),
  does: z.string(),
  on: z.boolean().meta({ description: 'Whether the settings of the answering process run it.' }),
  held: z.boolean().meta({ description: 'Whether a process holds it now.' }),
  paused: Pause,
});

const Task = AnyTask.extend({
  subjects: z
    .array(Subject)
    .max(2 * MOST_SHOWN_SUBJECTS)
    .meta({
      description: `By name: the first ${MOST_SHOWN_SUBJECTS}, and besides them the first ${MOST_SHOWN_SUBJECTS} that an operator should look at.`,
    }),
  leftOut: z.int().min(0).meta({ description: 'Subjects that are not shown.' }),
}).meta({ id: 'KeeperTask' });

const Earned = z
  .object({ token: z.string(), amount: AmountText })
  .meta({ id: 'EarnedFee', description: 'In the token’s smallest unit.' });

const OperatedWindow = z
  .object({
    limitFri: AmountText,
    spentFri: AmountText.meta({ description: 'Gas of what ended within the window.' }),
    leftFri: AmountText.nullable().meta({
      description: 'Less what is on its way; null while the gas price is not known.',
    }),
    earned: z.array(Earned).meta({
      description: 'What those were to bring at least that succeeded within the window, by token.',
    }),
  })
  .meta({ id: 'OperatedTaskWindow' });

const OperatedSubject = Subject.extend({
  outcome: Subject.shape.outcome.meta({
    description: 'Of the last look; null where none was within a day.',
  }),
  reason: Subject.shape.reason.meta({
    description: 'Why nothing was done; null when something was.',
  }),
  since: Seconds.meta({
    description: 'Since when looks have ended so: they acted, or did not for this reason.',
  }),
  details: Subject.shape.details.meta({ description: 'What the decision was made from.' }),
  lastActed: Subject.shape.lastActed.meta({
    description: 'What was submitted last, settled or not.',
  }),
}).meta({ id: 'OperatedTaskSubject' });

/** A task as its operator sees it. */
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
  summary: 'What is done without being asked, and why nothing is',
  description:
    'Each task with its subjects: the last look at each, the reason where nothing was done, and when something is due. Of all processes on the same store. Of what is submitted nothing is shown before the chain has executed it.',
  tag: 'keeper',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'As of now',
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
    band: z.string().meta({ description: 'What a smart order’s amount is multiplied by.' }),
  })
  .meta({ id: 'ShownMultiple' });

const Mayer = z
  .object({
    block: z.int(),
    at: z.int().meta({ description: 'Of the block, in Unix seconds.' }),
    contract: Multiple.meta({ description: 'The contract’s own, which sets the amounts.' }),
    own: Multiple.nullable().meta({
      description: 'From spot price and daily closes; null where they do not give one.',
    }),
    verdict: z.enum(['confirmed', 'disputed', 'unknown', 'off']).meta({
      description:
        'Smart orders are executed while it is `confirmed`: both in one band, and at most 2 % apart.',
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
  summary: 'The Mayer Multiple that smart orders are executed at',
  description:
    'BTC’s price divided by the mean of its last 200 daily closes: the contract’s, and the one that it is judged by.',
  tag: 'keeper',
  limitedAs: 'reads',
  replies: {
    200: {
      description: 'As of the newest block',
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
    order: AmountText.meta({ description: 'The contract’s id of it.' }),
    state: z.enum(['due', 'waiting', 'ended', 'unreadable']),
    sellToken: z.string().nullable(),
    sellSymbol: z.string().nullable(),
    amount: AmountText.nullable().meta({
      description: 'Of one execution at 1×, in the sell token’s smallest unit.',
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
  description: 'All read at one block, by ascending id, without their owners.',
  tag: 'keeper',
  limitedAs: 'reads',
  query: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,20}$/, 'must be the id of an order')
      .optional()
      .meta({ description: 'Last order of the page before.', example: '17' }),
  }),
  replies: {
    200: {
      description: 'A page of orders',
      schema: z
        .object({
          contract: z.string(),
          block: z.int(),
          at: z.int().meta({ description: 'Of the block, in Unix seconds.' }),
          knownThroughBlock: z.int().nullable().meta({
            description: 'Orders of later blocks may be missing; null before any were read.',
          }),
          orders: z.array(Order).max(ORDERS_PAGE),
          next: AmountText.nullable().meta({
            description: 'Ask for the next page with `after`; null on the last page.',
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
  description: 'Only this subject; without it all of the task.',
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
  summary: 'Do nothing by itself any more',
  description:
    'Nothing more is submitted for the task, or for one of its subjects, by any process and over restarts, until it is resumed. What was submitted goes on.',
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
      description: 'How the task stands now',
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
  summary: 'Let a task go on',
  description:
    'Ends the pause, and lets failures up to now count no more: what has failed too often is tried once more. A pause of the whole task still holds for a subject that is resumed.',
  body: {
    schema: z
      .strictObject({
        subject: SubjectName,
        reason: z.string().trim().min(1).max(200).optional().meta({
          description: 'Why, for the log of operators’ actions.',
        }),
      })
      .meta({ id: 'ResumeTaskRequest' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: { all: { summary: 'All of the task', value: {} } },
  },
  replies: {
    200: {
      description: 'How the task stands now',
      schema: OperatedTask,
      examples: { open: { summary: 'It goes on', value: OPERATED_TASK_EXAMPLE } },
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
  summary: 'Say how far a vault is leveraged',
  description:
    'The keeper leads the vault there in rounds, or back. Nothing is submitted by this request itself.',
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
          description: 'Why, for the log of operators’ actions.',
        }),
      })
      .meta({ id: 'LeverageRequest' }),
    limitBytes: SMALL_BODY_BYTES,
    examples: { three: { summary: 'Three times', value: { target: 3 } } },
  },
  replies: {
    200: {
      description: 'The target that is kept',
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
