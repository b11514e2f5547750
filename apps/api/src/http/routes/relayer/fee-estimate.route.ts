import type { Clock, Logger } from '@sotto/kernel';
import { toFelt, type Felt } from '@sotto/kernel';
import type { EstimateFee } from '@sotto/relayer-core';
import { type FeeEstimateReply, type QuotedOperation } from '@sotto/relayer-core';
import { z } from 'zod';
import type { HttpPolicy } from '../../../composition/bindings.js';
import { describeRoute, type PartsOf, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';
import { readFelt } from '../../read-felt.js';
import { EXAMPLE_POOL, FeltText, LeafIndexText, Operation } from '../../schemas.js';
import { requireSwaps, toEstimateDto } from './estimate-told.js';
import {
  FEE_ESTIMATE_EXAMPLE,
  FeeEstimate,
  SWAP_OUTPUT_ESTIMATE_EXAMPLE,
} from './fee-estimate.schema.js';

const feeEstimate = describeRoute({
  method: 'get',
  path: '/api/relayer/fee-estimate',
  operationId: 'estimateFee',
  summary: 'What a withdrawal costs now',
  description:
    'From live gas and market prices; when one of them is not known, too old or disagreed on, the answer is an error, never a guess. ' +
    'With `pool` the fee is in that pool’s token and capped at its maximum. For the swap pool it is in the token of the note in `leafIndex`, and only ' +
    'of its withdrawal: the swap has paid for itself. `feeAmount`, `feeToken` and `maxFeeAmount` are exact, `feeSats` is its value.',
  tag: 'relayer',
  limitedAs: 'reads',
  query: z.strictObject({
    pool: FeltText.optional().meta({
      description: 'Address of a pool that this relayer serves.',
      example: EXAMPLE_POOL,
    }),
    leafIndex: LeafIndexText.optional(),
    operation: Operation,
  }),
  replies: {
    200: {
      description: 'The recommended fee and what it is made of',
      schema: FeeEstimate,
      examples: {
        pool: { summary: 'For a WBTC pool', value: FEE_ESTIMATE_EXAMPLE },
        swapOutput: {
          summary: 'For a note of the swap pool that holds ETH',
          value: SWAP_OUTPUT_ESTIMATE_EXAMPLE,
        },
      },
    },
  },
  kept: { cacheControl: 'public, max-age=5', freshMs: 500, staleMs: 5_000 },
  errors: ERRORS_OF.feeEstimate,
});

/** `GET /api/relayer/fee-estimate`. */
export class FeeEstimateRoute implements Route {
  static readonly definition = feeEstimate;
  readonly definition = feeEstimate;
  readonly kept: ResponseCache<typeof feeEstimate, string>;
  readonly handler: RouteHandler;

  constructor(
    private readonly estimateFee: EstimateFee,
    private readonly policy: HttpPolicy,
    clock: Clock,
    logger: Logger,
  ) {
    const ask = ({ query }: PartsOf<typeof feeEstimate>): string => {
      if (query.operation === 'private_swap') requireSwaps(policy);
      const pool = query.pool === undefined ? null : readFelt('query.pool', query.pool);
      return textOf({ pool, leafIndex: query.leafIndex ?? null, operation: query.operation });
    };
    this.kept = new ResponseCache(
      feeEstimate,
      { ask, answer: (question) => this.#answer(questionOf(question)) },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer({ pool, ...use }: Question): Promise<FeeEstimateReply> {
    return toEstimateDto(await this.estimateFee.execute(pool, use), pool, this.policy);
  }
}

interface Question {
  readonly pool: Felt | null;
  readonly leafIndex: number | null;
  readonly operation: QuotedOperation;
}

/** What is asked, as one text: equal for equal questions. */
function textOf({ pool, leafIndex, operation }: Question): string {
  return [pool ?? '', leafIndex ?? '', operation].join('|');
}

function questionOf(text: string): Question {
  const [pool = '', leafIndex = '', operation] = text.split('|');
  return {
    pool: pool === '' ? null : toFelt(pool),
    leafIndex: leafIndex === '' ? null : Number(leafIndex),
    operation: operation === 'private_swap' ? operation : 'withdraw',
  };
}
