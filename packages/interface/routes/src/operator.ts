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
        'introduced: the ledger has never contained this account. behind: the chain shows more transactions of it than the ledger.',
    }),
    until: AmountText.meta({ description: 'First nonce after those in question.' }),
    since: z.int().meta({ description: 'Unix seconds, by the clock of the store.' }),
    taking: z.boolean().meta({
      description:
        'True once the mempool lifetime is over, so that no-ops consume the nonces in question.',
    }),
  })
  .meta({ id: 'LaneQuarantine' });

const Lane = z
  .object({
    address: z.string(),
    role: z.enum(['relay', 'swap_owner', 'curator', 'keeper', 'treasury']),
    state: z.string().meta({
      description: 'State of the lane, as this instance sees it.',
      example: 'ready',
    }),
    reason: z.string().nullable().meta({
      description: 'Why it accepts no calls; null if it does, or if the state alone explains it.',
    }),
    openNonces: z
      .int()
      .min(0)
      .meta({ description: 'Number of undecided nonces at the last poll.' }),
    configured: z.boolean().meta({
      description:
        'False for an account that is in the ledger but not in the settings: it is tracked but can’t sign.',
    }),
    retiring: z
      .boolean()
      .meta({ description: 'True if it is only tracked and gets no new calls.' }),
    paused: z.string().nullable().meta({
      description: 'Why it was stopped until an operator resumes it; null if it is not stopped.',
    }),
    quarantine: Quarantine.nullable(),
    nonce: AmountText.nullable().meta({
      description: 'Nonce at ACCEPTED_ON_L2; null while the node does not answer.',
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
        'trial: a pause is over and one attempt is let through. exhausted: the gas budget of the hour is spent, or (cause losses) the limit for losses caused by all users is exceeded.',
    }),
    cause: z
      .enum(['operator', 'configuration', 'reverts', 'losses', 'upstream', 'pool', 'all'])
      .nullable()
      .meta({ description: 'Why; for `exhausted` the budget that is spent. Null if open.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason given by the operator who paused it.' }),
    until: z
      .int()
      .nullable()
      .meta({ description: 'Unix seconds; null if open or if the end is not known.' }),
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
        'Users have lost more than LOSS_BUDGET_PER_POOL_FRI: each caller may have one request in flight at a time.',
    }),
    money: z
      .object({
        earned: AmountText.nullable().meta({
          description:
            'Fees of succeeded submissions, in the token’s smallest unit; null for the swap pool and the privacy pool, whose fees are paid in several tokens.',
        }),
        earnedFri: AmountText.meta({
          description: 'The earned fees in fri, each at the prices of its admission.',
        }),
        spentFri: AmountText.meta({
          description: 'Gas charged, including reverts and no-ops.',
        }),
        reservedFri: AmountText.meta({
          description: 'Expected cost of submissions in flight.',
        }),
        succeeded: z.int(),
        reverted: z.int(),
        unsent: z.int().meta({ description: 'Refused or expired.' }),
        losses: z
          .int()
          .meta({ description: 'Withdrawals that cost more gas than they earned in fees.' }),
        lostFri: AmountText.meta({
          description: 'Gas of reverts that users caused: note spent elsewhere, slippage.',
        }),
      })
      .meta({ description: 'Figures of the last hour.' }),
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
    submission: z.string().nullable().meta({
      description: 'Public id of the submission that holds the nonce; null if it is a no-op.',
    }),
    state: z.string().nullable(),
    forSeconds: z.int(),
    passedByChain: z.boolean().meta({
      description:
        'The account’s nonce on chain is past this nonce, but the transaction that consumed it is not found yet.',
    }),
    unwanted: z
      .string()
      .nullable()
      .meta({ description: 'Code for which it is being abandoned; null while it is wanted.' }),
    transactions: z.array(
      z.object({
        hash: z.string(),
        kind: z.enum(['call', 'noop']),
        sends: z.int().meta({ description: 'Number of sends; 2 means more than one.' }),
        lastSentSecondsAgo: z.int().nullable(),
        dead: z
          .boolean()
          .meta({ description: 'True if it can no longer land; `gone` has the cause.' }),
        gone: z.enum(['refused', 'lost']).nullable().meta({
          description:
            'refused: the node rejected it permanently. lost: another transaction consumed the nonce; it may land again if that block is rolled back.',
        }),
        seen: z.string().meta({ description: 'Status reported by the node at the last poll.' }),
      }),
    ),
  })
  .meta({ id: 'StuckNonce' });

const NO_FINDINGS = Object.fromEntries(FINDING_CODES.map((code) => [code, 0]));

const Node = z
  .object({
    name: z.string().meta({ description: 'Name in the settings, or its position in them.' }),
    up: z.boolean().meta({ description: 'True if it answers and serves our chain.' }),
    score: z.number().meta({ description: 'From 0 (not to be used) to 1.' }),
    inUse: z.boolean().meta({ description: 'True if reads and first sends go to it.' }),
    headBlock: z.int().nullable(),
    headAgeSeconds: z
      .number()
      .nullable()
      .meta({ description: 'Time since it last reported a newer block.' }),
    chainOk: z.boolean().nullable().meta({
      description: 'False: it serves another chain and is not used. Null before its first answer.',
    }),
    lastErrorCode: z
      .string()
      .nullable()
      .meta({ description: 'Code of its last failure, which may be long ago.' }),
    disagreements: z.array(z.enum(NODE_DISAGREEMENTS)).meta({
      description:
        'How it differs from the other nodes: its head is behind, or it has another block or another account nonce at a height that all have.',
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
    subject: z.string().nullable().meta({ description: 'Null if it concerns the whole task.' }),
    reason: z.enum(ALERT_NAMES),
    meaning: z.string().meta({ description: 'The reason as a sentence.' }),
    at: z.int().meta({
      description: 'Unix seconds of the check that found it, or of the end of the last lease.',
    }),
  })
  .meta({ id: 'TaskAlert' });

const StandingReason = z
  .object({
    code: z.enum(REASON_CODES),
    meaning: z.string().meta({ description: 'The code as a sentence.' }),
    component: z.string().meta({ description: 'Component that reported it.', example: 'store' }),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Codes of causes, ages, names of price sources.' }),
    since: z.int().meta({ description: 'Unix seconds.' }),
  })
  .meta({ id: 'StandingReason' });

const VerdictReport = z
  .object({
    asOf: z.int().meta({
      description: 'Unix seconds of the last check of all components; 0 before the first.',
    }),
    reasons: z
      .array(StandingReason)
      .meta({ description: 'Reasons why this instance can complete no withdrawal.' }),
    pools: z.array(
      z.object({
        key: z.string(),
        address: z.string(),
        canWithdraw: z.boolean().meta({ description: 'True if no reason blocks it.' }),
        reasons: z
          .array(StandingReason)
          .meta({ description: 'Reasons that concern this pool only.' }),
      }),
    ),
    warnings: z.array(StandingReason).meta({
      description: 'Problems that block nothing, because something else compensates for them.',
    }),
  })
  .meta({ id: 'Verdict', description: 'Whether a withdrawal can succeed now, by pool.' });

/** Parts of the operator's status that the service reads only when a request needs them. */
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
      description: 'Age of the data shown instead; null if there is none and the part is empty.',
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
        .meta({ description: 'Nothing new is sent in any state other than UP_TO_DATE.' }),
      chainId: z.string().nullable().meta({
        description:
          'Chain whose transactions it contains; null for a ledger that has not seen a chain.',
      }),
      genesisHash: z.string().nullable(),
      lastBlock: z.int().nullable().meta({
        description:
          'Highest block that was recorded as seen: a restored copy reads on from there.',
      }),
    }),
    alarms: z
      .object({
        foreignTransactions: Count.meta({
          description: 'Transactions of our accounts that none of our ledgers can have sent.',
        }),
        reopenedNonces: Count.meta({
          description: 'Settled nonces that a rollback of the chain has reopened.',
        }),
        reopenedFinalNonces: Count.meta({
          description: 'Reopened nonces that were final: an outcome reported as final was wrong.',
        }),
        disprovedRefusals: Count.meta({
          description: 'Refused transactions that landed after all.',
        }),
        sharedInstanceIds: Count.meta({
          description:
            'Leases that another process with the same INSTANCE_ID has acquired: give each process a separate id.',
        }),
      })
      .meta({
        description: 'Events that should never happen, counted since this instance started.',
      }),
    audit: z
      .object({
        lastBlock: z.int().nullable(),
        behindBlocks: Count.nullable(),
        completedSecondsAgo: z
          .int()
          .nullable()
          .meta({ description: 'Null before the first audit, or if AUDIT_INTERVAL_MS is 0.' }),
        findings: z.record(z.enum(FINDING_CODES), Count),
        problem: z.string().nullable().meta({
          description:
            'Code of the error that kept the last audit from reading everything; null if there was none.',
        }),
      })
      .meta({
        description:
          'Comparison of ledger and chain; each finding is in the log, with its transaction.',
      }),
    nodes: z.array(Node),
    refusalsBelieved: z
      .boolean()
      .meta({ description: 'False if STRICT_REFUSALS is set, or once a refusal was disproved.' }),
    clockSkewSeconds: z
      .object({ store: z.number().nullable(), chain: z.number().nullable() })
      .meta({
        description:
          'Seconds by which this machine’s clock is ahead of the store’s and of the newest block’s.',
      }),
    lastLookAt: z
      .int()
      .nullable()
      .meta({ description: 'Unix seconds at which this instance last read the chain.' }),
    attention: z
      .array(Stuck)
      .meta({ description: 'Nonces that have been undecided for too long, with their details.' }),
    pools: z.array(OperatedPool),
    keeper: z
      .object({
        alerts: z.array(TaskAlert).meta({
          description: 'Alerts of the last checks that remain until an operator acts.',
        }),
        tasks: z.array(OperatedTask),
      })
      .meta({ description: 'Automatic tasks of all processes on the store.' }),
    verdict: VerdictReport,
    load: z.object({
      admissions: z.object({ running: Count, waiting: Count, refused: Count }),
      requests: z.object({ requests: Count, clients: Count, refused: Count }),
    }),
    notAnswered: z
      .array(UnansweredPart)
      .meta({ description: 'Parts that were not read in time and show their last known data.' }),
  })
  .meta({ id: 'OperatorStatus' });

export const operatorStatus = describeRoute({
  method: 'get',
  path: '/api/operator/status',
  operationId: 'getOperatorStatus',
  summary: 'State of accounts, pools and money',
  description:
    'Lanes, attention and load are those of the answering instance; pools, money and the keeper’s tasks are those of all instances.',
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  replies: {
    200: {
      description: 'The present state',
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
  summary: 'Pause a pool',
  description:
    'Every instance refuses withdrawals, swaps, batches and quotes of the pool with `POOL_PAUSED` until it is resumed; restarts do not end the pause. Requests that were accepted before continue.',
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
      description: 'The pool after the pause',
      schema: OperatedPool,
      examples: { paused: { summary: 'Paused', value: PAUSED_POOL_EXAMPLE } },
    },
  },
});

/**
 * Body with an optional reason for the audit log of operators' actions. A request may omit the
 * body.
 */
const resumeBody = {
  schema: z
    .strictObject({
      reason: z.string().trim().min(1).max(200).optional().meta({
        description: 'Reason, for the log of operators’ actions.',
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
  summary: 'Resume a pool',
  body: resumeBody,
  description:
    'Ends the operator’s pause and resets every count of consecutive failures to 0. A pause by PAUSED_POOLS and budgets stay in force: the reply shows the state of the pool.',
  replies: {
    200: {
      description: 'The pool after the resumption',
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
  summary: 'Pause an account',
  description:
    'No instance assigns calls to the account until it is resumed; restarts do not end the pause. Transactions in flight are tracked, sent again and settled.',
  body: {
    schema: PauseLaneRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      change: { summary: 'A change of keys', value: { reason: 'The key is being changed.' } },
    },
  },
  replies: {
    200: {
      description: 'The account after the pause',
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
  summary: 'Resume an account',
  body: resumeBody,
  description:
    'Ends a pause, whether set by an operator or caused by a transaction that this service did not send. Make sure first that nothing else has the key.',
  replies: {
    200: {
      description: 'The account after the resumption',
      schema: Lane,
      examples: { ready: { summary: 'Ready', value: LANE_EXAMPLE } },
    },
  },
});
