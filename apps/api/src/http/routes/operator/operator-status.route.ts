import { FINDING_CODES, type StuckNonce } from '@sotto/submission-core';
import { z } from 'zod';
import type { GetOperatorStatus, Operations } from '@sotto/relayer-core';
import { describeRoute, handlerFor, type AnswerOf, type Route } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { AmountText } from '../../schemas.js';
import { LANE_EXAMPLE, Lane, toLaneDto } from './lane-dto.js';
import { OPEN_POOL_EXAMPLE, OperatedPool, toPoolDto } from './pool-presentation.js';

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
const LEDGER_STATES = [
  'UP_TO_DATE',
  'NOT_READ',
  'NOT_JUDGED',
  'LEDGER_OF_ANOTHER_CHAIN',
  'LEDGER_BEHIND_CHAIN',
] as const;

const OperatorStatus = z
  .object({
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
          description: 'Transactions of our accounts that this ledger did not send.',
        }),
        reopenedNonces: Count.meta({
          description: 'Settled nonces that a rollback of the chain has opened again.',
        }),
        disprovedRefusals: Count.meta({ description: 'Refused transactions that have landed.' }),
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
    load: z.object({
      admissions: z.object({ running: Count, waiting: Count, refused: Count }),
      requests: z.object({ requests: Count, clients: Count, refused: Count }),
    }),
  })
  .meta({ id: 'OperatorStatus' });

const operatorStatus = describeRoute({
  method: 'get',
  path: '/api/operator/status',
  operationId: 'getOperatorStatus',
  summary: 'How accounts, pools and money stand',
  description:
    'Lanes, attention and load are those of the instance that answers; pools and money are of all.',
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  replies: {
    200: {
      description: 'As of now',
      schema: OperatorStatus,
      examples: {
        calm: {
          summary: 'Nothing to worry about',
          value: {
            lanes: [LANE_EXAMPLE],
            ledger: {
              state: 'UP_TO_DATE',
              chainId: '0x534e5f4d41494e',
              genesisHash: '0x47c3637b57c2b079b93c61539950c17e',
              lastBlock: 1_204_511,
            },
            alarms: { foreignTransactions: 0, reopenedNonces: 0, disprovedRefusals: 0 },
            audit: {
              lastBlock: 1_204_506,
              behindBlocks: 0,
              completedSecondsAgo: 12,
              findings: NO_FINDINGS,
              problem: null,
            },
            refusalsBelieved: true,
            clockSkewSeconds: { store: 0, chain: 4.2 },
            lastLookAt: 1_760_000_000,
            attention: [],
            pools: [OPEN_POOL_EXAMPLE],
            load: {
              admissions: { running: 1, waiting: 0, refused: 0 },
              requests: { requests: 3, clients: 2, refused: 0 },
            },
          },
        },
      },
    },
  },
  errors: ERRORS_OF.operatorStatus,
});

/** `GET /api/operator/status`. */
export class OperatorStatusRoute implements Route {
  static readonly definition = operatorStatus;
  readonly definition = operatorStatus;
  readonly handler = handlerFor(operatorStatus, () => this.#answer());

  constructor(private readonly operations: GetOperatorStatus) {}

  async #answer(): Promise<AnswerOf<typeof operatorStatus>> {
    const { lanes, lastLookMs, ledger, audit, alarms, isStrict, clockSkewMs, stuck, pools, load } =
      await this.operations.execute();
    return {
      status: 200,
      body: {
        lanes: lanes.map(toLaneDto),
        ledger: toLedgerDto(ledger),
        alarms: {
          foreignTransactions: alarms.foreign,
          reopenedNonces: alarms.reopened,
          disprovedRefusals: alarms.disprovedRefusals,
        },
        audit: toAuditDto(audit),
        refusalsBelieved: !isStrict,
        clockSkewSeconds: { store: seconds(clockSkewMs.store), chain: seconds(clockSkewMs.chain) },
        lastLookAt: lastLookMs === null ? null : Math.floor(lastLookMs / 1_000),
        attention: stuck.map(toStuckDto),
        pools: pools.map(toPoolDto),
        load,
      },
    };
  }
}

function toLedgerDto({
  state,
  chain,
  lastBlock,
}: Operations['ledger']): z.input<typeof OperatorStatus>['ledger'] {
  const { chainId = null, genesisHash = null } = chain ?? {};
  return { state: state ?? 'UP_TO_DATE', chainId, genesisHash, lastBlock };
}

function toAuditDto({
  completedAgoMs,
  ...audit
}: Operations['audit']): z.input<typeof OperatorStatus>['audit'] {
  return {
    ...audit,
    completedSecondsAgo: completedAgoMs === null ? null : Math.round(completedAgoMs / 1_000),
  };
}

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms) / 1_000);

function toStuckDto({
  lane,
  nonce,
  attempt,
  forMs,
  passedByChain,
  unwanted,
  transactions,
}: StuckNonce): z.input<typeof Stuck> {
  return {
    lane,
    nonce: String(nonce),
    submission: attempt?.id ?? null,
    state: attempt?.state ?? null,
    forSeconds: Math.round(forMs / 1_000),
    passedByChain,
    unwanted,
    transactions: transactions.map(({ hash, kind, claims, lastClaimAgoMs, gone, seen }) => ({
      hash,
      kind,
      sends: claims,
      lastSentSecondsAgo: lastClaimAgoMs === null ? null : Math.round(lastClaimAgoMs / 1_000),
      dead: gone !== null,
      gone,
      seen,
    })),
  };
}
