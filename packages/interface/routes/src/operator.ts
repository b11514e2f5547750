import * as z from 'zod';
import {
  ALERTS,
  ALERT_NAMES,
  CODES_OF,
  NODE_DISAGREEMENTS,
  REASONS,
  REASON_CODES,
  TASK_NAMES,
} from '@sotto/facts';
import { describeRoute } from './definition.js';
import { OPERATED_TASK_EXAMPLE, OperatedTask } from './keeper.js';
import { FINDING_CODES } from './limits.js';
import { AmountText, BuildSchema, EXAMPLE_BUILD, FeltText, SMALL_BODY_BYTES } from './schemas.js';

const Quarantine = z
  .object({
    cause: z.enum(['introduced', 'behind']).meta({
      description:
        'introduced: the ledger has never held this account. behind: the chain has more of it than the ledger.',
    }),
    until: AmountText.meta({ description: 'First nonce that is not in question any more.' }),
    since: z.int().meta({ description: 'Unix seconds, by the clock of the store.' }),
    taking: z.boolean().meta({
      description:
        'Whether the lifetime of the mempool is over, so that nonces in question are taken by no-ops.',
    }),
  })
  .meta({ id: 'LaneQuarantine' });

const Lane = z
  .object({
    address: z.string(),
    role: z.enum(['relay', 'swap_owner', 'curator', 'keeper', 'treasury']),
    state: z.string().meta({
      description: 'What the lane can do now, as this instance sees it.',
      example: 'ready',
    }),
    reason: z.string().nullable().meta({
      description: 'Why it takes nothing; null while it does, and where the state says it all.',
    }),
    openNonces: z
      .int()
      .min(0)
      .meta({ description: 'Nonces that are undecided, as the last look showed them.' }),
    configured: z.boolean().meta({
      description:
        'False for an account of the ledger that is not in the settings: it is followed, and can’t sign.',
    }),
    retiring: z.boolean().meta({ description: 'Followed, and given nothing new.' }),
    paused: z.string().nullable().meta({
      description: 'Why it was stopped until an operator resumes it; null while it was not.',
    }),
    quarantine: Quarantine.nullable(),
    nonce: AmountText.nullable().meta({
      description: 'At ACCEPTED_ON_L2; null while the node does not answer.',
    }),
    balanceFri: AmountText.nullable(),
  })
  .meta({ id: 'OperatedLane' });

const LANE_EXAMPLE = {
  address: '0x7a1e5f',
  role: 'relay',
  state: 'ready',
  reason: null,
  openNonces: 2,
  configured: true,
  retiring: false,
  paused: null,
  quarantine: null,
  nonce: '812',
  balanceFri: '950000000000000000000',
};

const Gate = z
  .object({
    state: z.enum(['open', 'trial', 'paused', 'exhausted']).meta({
      description:
        'trial: a pause is over and one attempt is let through. exhausted: the gas of the hour is spent, or (cause losses) users have lost more than they may together.',
    }),
    cause: z
      .enum(['operator', 'configuration', 'reverts', 'losses', 'upstream', 'pool', 'all'])
      .nullable()
      .meta({ description: 'Why; for `exhausted` whose budget it is. Null when open.' }),
    reason: z.string().nullable().meta({ description: 'Given by the operator who paused it.' }),
    until: z
      .int()
      .nullable()
      .meta({ description: 'Unix seconds; null when open, and while the end is not known.' }),
  })
  .meta({ id: 'PoolGate' });

const OperatedPool = z
  .object({
    key: z.string(),
    address: z.string(),
    withdrawals: Gate,
    batches: Gate,
    strict: z.boolean().meta({
      description:
        'Users have lost more than LOSS_BUDGET_PER_POOL_FRI: each caller has one request on its way at a time.',
    }),
    money: z
      .object({
        earned: AmountText.nullable().meta({
          description:
            'Fees of what succeeded, in the token’s smallest unit; null for the swap pool, whose fees are paid in several tokens.',
        }),
        earnedFri: AmountText.meta({
          description: 'The same in fri, each at the prices of its own admission.',
        }),
        spentFri: AmountText.meta({
          description: 'Gas that was charged, for reverts and no-ops too.',
        }),
        reservedFri: AmountText.meta({
          description: 'What submissions on their way are expected to cost.',
        }),
        succeeded: z.int(),
        reverted: z.int(),
        unsent: z.int().meta({ description: 'Refused or expired.' }),
        losses: z.int().meta({ description: 'Withdrawals that cost more than they brought.' }),
        lostFri: AmountText.meta({
          description: 'Gas of reverts that users brought about: spent elsewhere, slippage.',
        }),
      })
      .meta({ description: 'Of the last hour.' }),
  })
  .meta({ id: 'OperatedPool' });

const OPEN = { state: 'open', cause: null, reason: null, until: null };

const MONEY = {
  earned: '4980',
  earnedFri: '69488372093023255813',
  spentFri: '8450000000000000000',
  reservedFri: '289600000000000000',
  succeeded: 30,
  reverted: 0,
  unsent: 1,
  losses: 0,
  lostFri: '0',
};

const OPEN_POOL_EXAMPLE = {
  key: 'sentinel_1x',
  address: '0x2bdb9769851d0307e812351cc1eb31b617951fba786cfd5d58baff36589a33',
  withdrawals: OPEN,
  batches: OPEN,
  strict: false,
  money: MONEY,
};

const PAUSED = {
  state: 'paused',
  cause: 'operator',
  reason: 'The pool’s contract is being upgraded.',
  until: null,
};

const PAUSED_POOL_EXAMPLE = { ...OPEN_POOL_EXAMPLE, withdrawals: PAUSED, batches: PAUSED };

const Count = z.int().min(0);

const Stuck = z
  .object({
    lane: z.string(),
    nonce: AmountText,
    submission: z
      .string()
      .nullable()
      .meta({ description: 'Public id of what holds the nonce; null when it is a no-op.' }),
    state: z.string().nullable(),
    forSeconds: z.int(),
    passedByChain: z
      .boolean()
      .meta({ description: 'The chain is past the nonce, and who took it is not found yet.' }),
    unwanted: z
      .string()
      .nullable()
      .meta({ description: 'Code for which it is being given up; null while it is wanted.' }),
    transactions: z.array(
      z.object({
        hash: z.string(),
        kind: z.enum(['call', 'noop']),
        sends: z.int().meta({ description: '2 stands for more than one.' }),
        lastSentSecondsAgo: z.int().nullable(),
        dead: z.boolean().meta({ description: 'It can’t land any more; `gone` says why.' }),
        gone: z.enum(['refused', 'lost']).nullable().meta({
          description:
            'refused: the node turned it down for good. lost: another transaction has the nonce, until that one’s block is undone.',
        }),
        seen: z.string().meta({ description: 'What the node said of it at the last look.' }),
      }),
    ),
  })
  .meta({ id: 'StuckNonce' });

const NO_FINDINGS = Object.fromEntries(FINDING_CODES.map((code) => [code, 0]));

const Node = z
  .object({
    name: z.string().meta({ description: 'As the settings name it, or its place in them.' }),
    up: z.boolean().meta({ description: 'It answers and serves our chain.' }),
    score: z.number().meta({ description: 'From 0, not to be used, to 1.' }),
    inUse: z.boolean().meta({ description: 'Reads and first sends go to it.' }),
    headBlock: z.int().nullable(),
    headAgeSeconds: z
      .number()
      .nullable()
      .meta({ description: 'How long it has shown no newer block.' }),
    chainOk: z.boolean().nullable().meta({
      description: 'False: it serves another chain, and is not used. Null before it has answered.',
    }),
    lastErrorCode: z
      .string()
      .nullable()
      .meta({ description: 'Of its last failure, which may be long past.' }),
    disagreements: z.array(z.enum(NODE_DISAGREEMENTS)).meta({
      description:
        'In what it differs from the other nodes: its head is behind, or it has another block or another nonce of an account at a height that all have.',
    }),
  })
  .meta({ id: 'OperatedNode' });

const NODE_EXAMPLE = {
  name: 'node-0',
  up: true,
  score: 0.94,
  inUse: true,
  headBlock: 1_204_511,
  headAgeSeconds: 2.1,
  chainOk: true,
  lastErrorCode: null,
  disagreements: [],
};

const LEDGER_STATES = [
  'UP_TO_DATE',
  'NOT_READ',
  'NOT_JUDGED',
  'LEDGER_OF_ANOTHER_CHAIN',
  'LEDGER_BEHIND_CHAIN',
] as const;

const TaskAlert = z
  .object({
    task: z.enum(TASK_NAMES),
    subject: z.string().nullable().meta({ description: 'Null for all of the task.' }),
    reason: z.enum(ALERT_NAMES),
    meaning: z.string().meta({ description: 'The reason in a sentence.' }),
    at: z.int().meta({
      description: 'Unix seconds of the look that found it, or of the end of the last hold.',
    }),
  })
  .meta({ id: 'TaskAlert' });

const StandingReason = z
  .object({
    code: z.enum(REASON_CODES),
    meaning: z.string().meta({ description: 'The code in a sentence.' }),
    component: z.string().meta({ description: 'The part that noticed it.', example: 'store' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Codes of causes, ages, names of price sources.' }),
    since: z.int().meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'StandingReason' });

const VerdictReport = z
  .object({
    asOf: z
      .int()
      .meta({ description: 'Unix seconds of the last look at all parts; 0 before one.' }),
    reasons: z
      .array(StandingReason)
      .meta({ description: 'What keeps this instance from having any withdrawal succeed.' }),
    pools: z.array(
      z.object({
        key: z.string(),
        address: z.string(),
        canWithdraw: z.boolean().meta({ description: 'Nothing stands in the way.' }),
        reasons: z.array(StandingReason).meta({ description: 'Of this pool alone.' }),
      }),
    ),
    warnings: z.array(StandingReason).meta({
      description: 'What is wrong and blocks nothing, because something else makes up for it.',
    }),
  })
  .meta({ id: 'Verdict', description: 'Whether a withdrawal can succeed now, by pool.' });

/** Parts of the operator's status that are read when it is asked for. */
export const STATUS_PARTS = ['node', 'store', 'pools', 'keeper'] as const;

const UnansweredPart = z
  .object({
    part: z.enum(STATUS_PARTS).meta({
      description:
        'node: nonces and balances; store: pauses and quarantines of lanes, the ledger’s chain; pools; keeper.',
    }),
    code: z.string().meta({ description: 'TIMED_OUT, or the error’s code.', example: 'TIMED_OUT' }),
    cause: z.string().nullable().meta({
      description: 'Code of the socket, operating system or database below it.',
      example: 'ECONNREFUSED',
    }),
    knownSecondsAgo: z.number().nullable().meta({
      description: 'Age of what is shown instead; null: nothing is, and the part is empty.',
    }),
  })
  .meta({ id: 'UnansweredPart' });

const OperatorStatus = z
  .object({
    build: BuildSchema,
    lanes: z.array(Lane),
    ledger: z.object({
      state: z
        .enum(LEDGER_STATES)
        .meta({ description: 'Anything but UP_TO_DATE: nothing new is sent.' }),
      chainId: z.string().nullable().meta({
        description: 'Chain whose transactions it holds; null for a ledger that has met none.',
      }),
      genesisHash: z.string().nullable(),
      lastBlock: z.int().nullable().meta({
        description: 'Highest block that was noted as seen: a restored copy reads on from there.',
      }),
    }),
    alarms: z
      .object({
        foreignTransactions: Count.meta({
          description: 'Transactions of our accounts that no ledger of ours can have sent.',
        }),
        reopenedNonces: Count.meta({
          description: 'Settled nonces that a rollback of the chain has opened again.',
        }),
        reopenedFinalNonces: Count.meta({
          description: 'The same of nonces that were final: what was reported for good is not so.',
        }),
        disprovedRefusals: Count.meta({ description: 'Refused transactions that have landed.' }),
        sharedInstanceIds: Count.meta({
          description:
            'Leases that another process of the same INSTANCE_ID has taken: give each its own.',
        }),
      })
      .meta({ description: 'What should never happen, since this instance started.' }),
    audit: z
      .object({
        lastBlock: z.int().nullable(),
        behindBlocks: Count.nullable(),
        completedSecondsAgo: z
          .int()
          .nullable()
          .meta({ description: 'Null before the first audit, and where AUDIT_INTERVAL_MS is 0.' }),
        findings: z.record(z.enum(FINDING_CODES), Count),
        problem: z
          .string()
          .nullable()
          .meta({ description: 'Code of what the last audit could not read.' }),
      })
      .meta({
        description:
          'Ledger and chain side by side; each finding is in the log, with its transaction.',
      }),
    nodes: z.array(Node),
    refusalsBelieved: z
      .boolean()
      .meta({ description: 'False by STRICT_REFUSALS, and once a refusal was disproved.' }),
    clockSkewSeconds: z
      .object({ store: z.number().nullable(), chain: z.number().nullable() })
      .meta({
        description:
          'How far the clock of this machine is ahead of the store’s and of the newest block’s.',
      }),
    lastLookAt: z
      .int()
      .nullable()
      .meta({ description: 'Unix seconds at which this instance read the chain last.' }),
    attention: z
      .array(Stuck)
      .meta({ description: 'Nonces that are undecided for too long, with what is known of them.' }),
    pools: z.array(OperatedPool),
    keeper: z
      .object({
        alerts: z.array(TaskAlert).meta({
          description: 'What lasts until an operator does something, by the last looks.',
        }),
        tasks: z.array(OperatedTask),
      })
      .meta({ description: 'What is done without being asked, by all processes on the store.' }),
    verdict: VerdictReport,
    load: z.object({
      admissions: z.object({ running: Count, waiting: Count, refused: Count }),
      requests: z.object({ requests: Count, clients: Count, refused: Count }),
    }),
    notAnswered: z
      .array(UnansweredPart)
      .meta({ description: 'What was not answered in time, and is shown as it was known last.' }),
  })
  .meta({ id: 'OperatorStatus' });

export const operatorStatus = describeRoute({
  method: 'get',
  path: '/api/operator/status',
  operationId: 'getOperatorStatus',
  summary: 'How accounts, pools and money stand',
  description:
    'Lanes, attention and load are those of the instance that answers; pools, money and the keeper’s tasks are of all.',
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  replies: {
    200: {
      description: 'As of now',
      schema: OperatorStatus,
      examples: {
        empty: {
          summary: 'An empty treasury',
          value: {
            build: EXAMPLE_BUILD,
            lanes: [LANE_EXAMPLE],
            ledger: {
              state: 'UP_TO_DATE',
              chainId: '0x534e5f4d41494e',
              genesisHash: '0x47c3637b57c2b079b93c61539950c17e',
              lastBlock: 1_204_511,
            },
            alarms: {
              foreignTransactions: 0,
              reopenedNonces: 0,
              reopenedFinalNonces: 0,
              disprovedRefusals: 0,
              sharedInstanceIds: 0,
            },
            audit: {
              lastBlock: 1_204_506,
              behindBlocks: 0,
              completedSecondsAgo: 12,
              findings: NO_FINDINGS,
              problem: null,
            },
            nodes: [NODE_EXAMPLE],
            refusalsBelieved: true,
            clockSkewSeconds: { store: 0, chain: 4.2 },
            lastLookAt: 1_760_000_000,
            attention: [],
            pools: [OPEN_POOL_EXAMPLE],
            keeper: {
              alerts: [
                {
                  task: 'treasury',
                  subject: 'relay-0',
                  reason: 'TREASURY_EMPTY',
                  meaning: ALERTS.TREASURY_EMPTY,
                  at: 1_760_000_000,
                },
              ],
              tasks: [OPERATED_TASK_EXAMPLE],
            },
            verdict: {
              asOf: 1_760_000_000,
              reasons: [
                {
                  code: 'STORE_NOT_WRITABLE',
                  meaning: REASONS.STORE_NOT_WRITABLE,
                  component: 'store',
                  details: { error: 'LEDGER_UNAVAILABLE', cause: 'ENOSPC' },
                  since: 1_759_999_940,
                },
              ],
              pools: [{ key: 'sentinel_1x', address: '0x5e47', canWithdraw: false, reasons: [] }],
              warnings: [
                {
                  code: 'PRICE_SOURCE_DOWN',
                  meaning: REASONS.PRICE_SOURCE_DOWN,
                  component: 'price_sources',
                  details: { sources: 'exchange', cause: 'ECONNREFUSED' },
                  since: 1_759_999_940,
                },
              ],
            },
            load: {
              admissions: { running: 1, waiting: 0, refused: 0 },
              requests: { requests: 3, clients: 2, refused: 0 },
            },
            notAnswered: [{ part: 'node', code: 'TIMED_OUT', cause: null, knownSecondsAgo: 12.5 }],
          },
        },
      },
    },
  },
  errors: CODES_OF.operatorStatus,
});

const PoolName = z.object({
  pool: z.string().min(1).max(80).meta({
    description: 'Key of the pool in the profile, or its address.',
    example: 'sentinel_1x',
  }),
});

const PauseRequest = z
  .strictObject({
    reason: z.string().trim().min(1).max(200).meta({
      description: 'Shown to the public on `/status` and to each caller that is refused.',
    }),
  })
  .meta({ id: 'PauseRequest' });

const onPool = {
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: PoolName,
  errors: CODES_OF.poolControl,
} as const;

export const pausePool = describeRoute({
  ...onPool,
  method: 'post',
  path: '/api/operator/pools/:pool/pause',
  operationId: 'pausePool',
  summary: 'Begin nothing in a pool any more',
  description:
    'Withdrawals, swaps, batches and quotes of the pool are refused with `POOL_PAUSED` by every instance, over restarts, until it is resumed. What was accepted before goes on.',
  body: {
    schema: PauseRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      upgrade: {
        summary: 'An upgrade',
        value: { reason: 'The pool’s contract is being upgraded.' },
      },
    },
  },
  replies: {
    200: {
      description: 'How the pool stands now',
      schema: OperatedPool,
      examples: { paused: { summary: 'Paused', value: PAUSED_POOL_EXAMPLE } },
    },
  },
});

/** A reason is for the log of operators' actions; a request without a body has none. */
const resumeBody = {
  schema: z
    .strictObject({
      reason: z.string().trim().min(1).max(200).optional().meta({
        description: 'Why, for the log of operators’ actions.',
      }),
    })
    .optional()
    .meta({ id: 'ResumeRequest' }),
  limitBytes: SMALL_BODY_BYTES,
  examples: { done: { summary: 'With a reason', value: { reason: 'The upgrade is done.' } } },
};

export const resumePool = describeRoute({
  ...onPool,
  method: 'post',
  path: '/api/operator/pools/:pool/resume',
  operationId: 'resumePool',
  summary: 'Let a pool begin again',
  body: resumeBody,
  description:
    'Ends the operator’s pause and every run of failures: the count starts again at 0. A pause by PAUSED_POOLS stays, as do budgets: the reply shows the state of the pool.',
  replies: {
    200: {
      description: 'How the pool stands now',
      schema: OperatedPool,
      examples: { open: { summary: 'Open', value: OPEN_POOL_EXAMPLE } },
    },
  },
});

const LaneName = z.object({
  lane: FeltText.min(1).meta({
    description: 'Address of the account.',
    example: LANE_EXAMPLE.address,
  }),
});

const PauseLaneRequest = z
  .strictObject({
    reason: z.string().trim().min(1).max(200).meta({ description: 'Shown to operators.' }),
  })
  .meta({ id: 'PauseLaneRequest' });

const PAUSED_LANE_EXAMPLE = {
  ...LANE_EXAMPLE,
  state: 'paused',
  reason: 'The key is being changed.',
  paused: 'The key is being changed.',
};

const onLane = {
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: LaneName,
  errors: CODES_OF.laneControl,
} as const;

export const pauseLane = describeRoute({
  ...onLane,
  method: 'post',
  path: '/api/operator/lanes/:lane/pause',
  operationId: 'pauseLane',
  felts: true,
  summary: 'Give an account nothing new any more',
  description:
    'The account takes no call, in no instance and over restarts, until it is resumed. What it has in flight is followed, sent again and settled.',
  body: {
    schema: PauseLaneRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      change: { summary: 'A change of keys', value: { reason: 'The key is being changed.' } },
    },
  },
  replies: {
    200: {
      description: 'How the account stands now',
      schema: Lane,
      examples: { paused: { summary: 'Paused', value: PAUSED_LANE_EXAMPLE } },
    },
  },
});

export const resumeLane = describeRoute({
  ...onLane,
  method: 'post',
  path: '/api/operator/lanes/:lane/resume',
  operationId: 'resumeLane',
  felts: true,
  summary: 'Let an account take calls again',
  body: resumeBody,
  description:
    'Ends a pause: an operator’s, and one that a transaction has brought that this service did not send. Make sure first that nothing else has the key.',
  replies: {
    200: {
      description: 'How the account stands now',
      schema: Lane,
      examples: { ready: { summary: 'Ready', value: LANE_EXAMPLE } },
    },
  },
});
