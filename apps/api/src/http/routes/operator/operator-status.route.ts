import type { StuckNonce } from '@sotto/submission-core';
import { injectable } from 'inversify';
import { z } from 'zod';
import { DescribeOperationsToken, type DescribesOperations } from '../../../composition/bindings.js';
import { inject } from '../../../composition/inject.js';
import type { OperatedLane } from '../../../operations/describe-operations.js';
import { describeRoute, handlerFor, type AnswerOf, type Route } from '../../define-route.js';
import { FAULTS_OF } from '../../faults.js';
import { AmountText } from '../../schemas.js';
import { OPEN_POOL_EXAMPLE, OperatedPool, poolTold } from './told-pool.js';

const Lane = z
  .object({
    address: z.string(),
    role: z.enum(['relay', 'swap_owner', 'curator']),
    state: z.string().meta({ description: 'What the lane can do now, as this instance sees it.', example: 'ready' }),
    nonce: AmountText.nullable().meta({ description: 'At ACCEPTED_ON_L2; null while the node does not answer.' }),
    balanceFri: AmountText.nullable(),
  })
  .meta({ id: 'OperatedLane' });

const Stuck = z
  .object({
    lane: z.string(),
    nonce: AmountText,
    submission: z.string().nullable().meta({ description: 'Public id of what holds the nonce; null when it is a no-op.' }),
    state: z.string().nullable(),
    forSeconds: z.int(),
    passedByChain: z.boolean().meta({ description: 'The chain is past the nonce, and who took it is not found yet.' }),
    unwanted: z.string().nullable().meta({ description: 'Code for which it is being given up; null while it is wanted.' }),
    transactions: z.array(
      z.object({
        hash: z.string(),
        kind: z.enum(['call', 'noop']),
        sends: z.int().meta({ description: '2 stands for more than one.' }),
        lastSentSecondsAgo: z.int().nullable(),
        dead: z.boolean(),
        seen: z.string().meta({ description: 'What the node said of it at the last look.' }),
      }),
    ),
  })
  .meta({ id: 'StuckNonce' });

const Count = z.int().min(0);

const OperatorStatus = z
  .object({
    lanes: z.array(Lane),
    lastLookAt: z.int().nullable().meta({ description: 'Unix seconds at which this instance read the chain last.' }),
    attention: z.array(Stuck).meta({ description: 'Nonces that are undecided for too long, with what is known of them.' }),
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
  description: 'Lanes, attention and load are those of the instance that answers; pools and money are of all.',
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
            lanes: [{ address: '0x7a1e5f', role: 'relay', state: 'ready', nonce: '812', balanceFri: '950000000000000000000' }],
            lastLookAt: 1_760_000_000,
            attention: [],
            pools: [OPEN_POOL_EXAMPLE],
            load: { admissions: { running: 1, waiting: 0, refused: 0 }, requests: { requests: 3, clients: 2, refused: 0 } },
          },
        },
      },
    },
  },
  faults: FAULTS_OF.operatorStatus,
});

/** `GET /api/operator/status`. */
@injectable()
export class OperatorStatusRoute implements Route {
  static readonly definition = operatorStatus;
  readonly definition = operatorStatus;
  readonly handler = handlerFor(operatorStatus, () => this.#answer());

  constructor(@inject(DescribeOperationsToken) private readonly operations: DescribesOperations) {}

  async #answer(): Promise<AnswerOf<typeof operatorStatus>> {
    const { lanes, lastLookMs, stuck, pools, load } = await this.operations.execute();
    return {
      status: 200,
      body: {
        lanes: lanes.map(laneTold),
        lastLookAt: lastLookMs === null ? null : Math.floor(lastLookMs / 1_000),
        attention: stuck.map(stuckTold),
        pools: pools.map(poolTold),
        load,
      },
    };
  }
}

const text = (amount: bigint | undefined): string | null => (amount === undefined ? null : String(amount));

function laneTold({ address, role, state, account }: OperatedLane): z.input<typeof Lane> {
  return { address, role, state, nonce: text(account?.nonce), balanceFri: text(account?.balanceFri) };
}

function stuckTold({ lane, nonce, attempt, forMs, passedByChain, unwanted, transactions }: StuckNonce): z.input<typeof Stuck> {
  return {
    lane,
    nonce: String(nonce),
    submission: attempt?.id ?? null,
    state: attempt?.state ?? null,
    forSeconds: Math.round(forMs / 1_000),
    passedByChain,
    unwanted,
    transactions: transactions.map(({ hash, kind, claims, lastClaimAgoMs, dead, seen }) => ({
      hash,
      kind,
      sends: claims,
      lastSentSecondsAgo: lastClaimAgoMs === null ? null : Math.round(lastClaimAgoMs / 1_000),
      dead,
      seen,
    })),
  };
}
