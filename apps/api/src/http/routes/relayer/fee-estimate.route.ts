import { Clock, Logger, type Felt } from '@sotto/kernel';
import type { FeeEstimateReply } from '@sotto/relayer-core';
import { injectable } from 'inversify';
import { z } from 'zod';
import { EstimateFeeToken, HttpPolicyToken, type EstimatesFees, type HttpPolicy } from '../../../composition/bindings.js';
import { inject } from '../../../composition/inject.js';
import { describeRoute, type PartsOf, type Route, type RouteHandler } from '../../define-route.js';
import { FAULTS_OF } from '../../faults.js';
import { KeptReplies } from '../../kept-replies.js';
import { readFelt } from '../../read-felt.js';
import { EXAMPLE_POOL, FeltText } from '../../schemas.js';
import { estimateTold } from './estimate-told.js';
import { FEE_ESTIMATE_EXAMPLE, FeeEstimate } from './fee-estimate.schema.js';

const feeEstimate = describeRoute({
  method: 'get',
  path: '/api/relayer/fee-estimate',
  operationId: 'estimateFee',
  summary: 'What a withdrawal costs now',
  description:
    'From live gas and market prices; when one of them is not known, too old or disagreed on, the answer is an error, never a guess. ' +
    'With `pool` the fee is in that pool’s token and capped at its maximum.',
  tag: 'relayer',
  limitedAs: 'reads',
  query: z.strictObject({
    pool: FeltText.optional().meta({ description: 'Address of a pool that this relayer serves.', example: EXAMPLE_POOL }),
  }),
  replies: {
    200: {
      description: 'The recommended fee and what it is made of',
      schema: FeeEstimate,
      examples: { pool: { summary: 'For a WBTC pool', value: FEE_ESTIMATE_EXAMPLE } },
    },
  },
  kept: { cacheControl: 'public, max-age=5', freshMs: 500, staleMs: 5_000 },
  faults: FAULTS_OF.feeEstimate,
});

/** `GET /api/relayer/fee-estimate`. */
@injectable()
export class FeeEstimateRoute implements Route {
  static readonly definition = feeEstimate;
  readonly definition = feeEstimate;
  readonly kept: KeptReplies<typeof feeEstimate, Felt | null>;
  readonly handler: RouteHandler;

  constructor(
    @inject(EstimateFeeToken) private readonly estimateFee: EstimatesFees,
    @inject(HttpPolicyToken) private readonly policy: HttpPolicy,
    @inject(Clock) clock: Clock,
    @inject(Logger) logger: Logger,
  ) {
    const ask = ({ query }: PartsOf<typeof feeEstimate>): Felt | null =>
      query.pool === undefined ? null : readFelt('query.pool', query.pool);
    this.kept = new KeptReplies(feeEstimate, { ask, answer: (pool) => this.#answer(pool) }, { clock, logger });
    this.handler = this.kept.handler;
  }

  async #answer(pool: Felt | null): Promise<FeeEstimateReply> {
    return estimateTold(await this.estimateFee.execute(pool), pool, this.policy);
  }
}
