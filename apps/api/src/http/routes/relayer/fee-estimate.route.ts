import { injectable } from 'inversify';
import { z } from 'zod';
import { EstimateFeeToken, HttpPolicyToken, type EstimatesFees, type HttpPolicy } from '../../../composition/bindings.js';
import { inject } from '../../../composition/inject.js';
import { describeRoute, handlerFor, type AnswerOf, type InputOf, type Route } from '../../define-route.js';
import { FAULTS_OF } from '../../faults.js';
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
  cacheControl: 'public, max-age=5',
  faults: FAULTS_OF.feeEstimate,
});

/** `GET /api/relayer/fee-estimate`. */
@injectable()
export class FeeEstimateRoute implements Route {
  static readonly definition = feeEstimate;
  readonly definition = feeEstimate;
  readonly handler = handlerFor(feeEstimate, (input) => this.#answer(input));

  constructor(
    @inject(EstimateFeeToken) private readonly estimateFee: EstimatesFees,
    @inject(HttpPolicyToken) private readonly policy: HttpPolicy,
  ) {}

  async #answer({ query }: InputOf<typeof feeEstimate>): Promise<AnswerOf<typeof feeEstimate>> {
    const pool = query.pool === undefined ? null : readFelt('query.pool', query.pool);
    return { status: 200, body: estimateTold(await this.estimateFee.execute(pool), pool, this.policy) };
  }
}
