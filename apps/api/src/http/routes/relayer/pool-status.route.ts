import type { Clock, Logger, Felt } from '@sotto/kernel';
import { z } from 'zod';
import { knownSoon } from '@sotto/submission-core';
import type { GetPoolCrowd, GetPoolStatus } from '@sotto/relayer-core';
import type { HttpPolicy } from '../../../composition/bindings.js';
import { describeRoute, type PartsOf, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';
import { readFelt } from '../../read-felt.js';
import { AmountText, EXAMPLE_POOL, FeltText } from '../../schemas.js';
import { DENOMINATION_UNIT, presentedDenomination } from '../../told-denomination.js';
import { CROWD_WAIT_MS, PoolCrowd } from './crowd.js';

const PoolStatus = z
  .object({
    denomination: AmountText.meta({ description: `Fixed deposit size: ${DENOMINATION_UNIT}.` }),
    undeployedCount: z.int().min(0).meta({ description: 'Deposits that wait for their batch.' }),
    activeDeposits: z.int().min(0).meta({ description: 'Deposits deployed in the vault now.' }),
    totalDeposits: z.int().min(0).meta({ description: 'Deposits ever made.' }),
    totalAssets: AmountText.meta({
      description:
        'WBTC or USDC in the pool and its vault, yield included: in the token’s smallest unit (sats, or USDC with 6 decimals).',
    }),
    maxFeeBps: z
      .int()
      .min(0)
      .meta({ description: 'Most that a relayer may take, in hundredths of a percent.' }),
    maxFee: AmountText.meta({
      description:
        'Most that a relayer may take from one withdrawal: in the token’s smallest unit, sats for WBTC pools.',
    }),
    nextIndex: z.int().min(0).meta({ description: 'Leaf of the next deposit.' }),
    crowd: PoolCrowd.nullable().meta({
      description: 'What withdrawals hide in. Null while the pool’s events can’t be read.',
    }),
  })
  .meta({ id: 'PoolStatus' });

const poolStatus = describeRoute({
  method: 'get',
  path: '/api/relayer/pool-status',
  operationId: 'getPoolStatus',
  summary: 'What a pool says of itself',
  description:
    'All of it from one block, the crowd apart. When any of it can’t be read the answer is an error, never a 0. The swap pool, whose notes hold different amounts, is in `GET /api/relayer/pools`.',
  tag: 'relayer',
  limitedAs: 'reads',
  query: z.strictObject({
    pool: FeltText.meta({
      description: 'Address of a pool that this relayer serves.',
      example: EXAMPLE_POOL,
    }),
  }),
  replies: {
    200: {
      description: 'The pool in the latest block, or in one at most seconds older',
      schema: PoolStatus,
      examples: {
        pool: {
          summary: 'A WBTC pool',
          value: {
            denomination: '20000',
            undeployedCount: 2,
            activeDeposits: 9,
            totalDeposits: 17,
            totalAssets: '220104',
            maxFeeBps: 500,
            maxFee: '1000',
            nextIndex: 17,
            crowd: { oldestWaitingSeconds: 5_400, lastBatchSize: 5, smallestBatchSize: 3 },
          },
        },
      },
    },
  },
  kept: { cacheControl: 'public, max-age=2', freshMs: 500, staleMs: 2_000 },
  errors: ERRORS_OF.poolStatus,
});

/** `GET /api/relayer/pool-status`. */
export class PoolStatusRoute implements Route {
  static readonly definition = poolStatus;
  readonly definition = poolStatus;
  readonly kept: ResponseCache<typeof poolStatus, Felt>;
  readonly handler: RouteHandler;

  constructor(
    private readonly getPoolStatus: GetPoolStatus,
    private readonly getPoolCrowd: GetPoolCrowd,
    private readonly policy: HttpPolicy,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    const ask = ({ query }: PartsOf<typeof poolStatus>): Felt => readFelt('query.pool', query.pool);
    this.kept = new ResponseCache(
      poolStatus,
      { ask, answer: (pool) => this.#answer(pool) },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(pool: Felt): Promise<z.input<typeof PoolStatus>> {
    const status = await this.getPoolStatus.execute(pool);
    const { undeployedCount, activeDeposits, totalDeposits, maxFeeBps, nextIndex } = status;
    return {
      denomination: String(presentedDenomination(this.policy, pool, status.denomination)),
      undeployedCount,
      activeDeposits,
      totalDeposits,
      totalAssets: String(status.totalAssets),
      maxFeeBps,
      maxFee: String(status.maxFee),
      nextIndex,
      crowd: await knownSoon(this.getPoolCrowd.execute(pool, status), this.clock, CROWD_WAIT_MS),
    };
  }
}
