import { z } from 'zod';
import type { DeployBatch } from '@sotto/relayer-core';
import type { HttpPolicy } from '../../../composition/bindings.js';
import type { OperatorTokens } from '../../bearer-tokens.js';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { PreferHeader, prefersAsync } from '../../prefer.js';
import { readFelt } from '../../read-felt.js';
import { EXAMPLE_POOL, FeltText, SMALL_BODY_BYTES } from '../../schemas.js';
import {
  SUCCEEDED_EXAMPLE,
  TransactionResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
  transactionReply,
  transactionResultOf,
} from './answers.js';

const DeployBatchRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    count: z.int().meta({
      description:
        'Deposits to deploy: 3, 5 or 7 (what the pool takes, see `GET /api/relayer/pools`); with `partial` any from 1. At most the undeployed ones.',
    }),
    partial: z.boolean().default(false).meta({
      description:
        'true: a batch of any size, at the price of privacy, because fewer deposits hide one another. Where the service says so, only all deposits that wait, once each has aged, or only by the operator.',
    }),
  })
  .meta({ id: 'DeployBatchRequest' });

const deployment = describeRoute({
  method: 'post',
  path: '/api/relayer/deploy-batch',
  operationId: 'deployBatch',
  summary: 'Move waiting deposits of a pool into its vault',
  description:
    'One deployment of a pool is on its way at a time: an equal call gets the answer of the one in flight, another waits its turn. ' +
    'A count that the pool can’t deploy is refused before any gas is spent.',
  tag: 'relayer',
  limitedAs: 'submissions',
  body: {
    schema: DeployBatchRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      full: { summary: 'A batch of three', value: { poolAddress: EXAMPLE_POOL, count: 3 } },
      partial: {
        summary: 'One deposit alone',
        value: { poolAddress: EXAMPLE_POOL, count: 1, partial: true },
      },
    },
  },
  headers: PreferHeader.extend({
    authorization: z.string().max(1_000).optional().meta({
      description:
        'An operator’s token, for a partial batch that is the operator’s; other requests need none.',
    }),
  }),
  replies: transactionReplies(TransactionResult, SUCCEEDED_EXAMPLE, UNDECIDED_EXAMPLE),
  errors: ERRORS_OF.deployBatch,
});

/** `POST /api/relayer/deploy-batch`. */
export class DeployBatchRoute implements Route {
  static readonly definition = deployment;
  readonly definition = deployment;
  readonly handler = handlerFor(deployment, (input) => this.#answer(input));

  constructor(
    private readonly deployBatch: DeployBatch,
    private readonly operators: OperatorTokens,
    private readonly policy: HttpPolicy,
  ) {}

  async #answer({
    body,
    headers,
    signal,
  }: InputOf<typeof deployment>): Promise<AnswerOf<typeof deployment>> {
    const { count, partial } = body;
    const preferredAsync = prefersAsync(headers);
    const { submissionId, answer } = await this.deployBatch.execute({
      poolAddress: readFelt('body.poolAddress', body.poolAddress),
      count,
      partial,
      byOperator:
        headers.authorization !== undefined &&
        this.operators.holderOf(headers.authorization) !== null,
      waitMs: preferredAsync ? 0 : this.policy.waitForConfirmationMs,
      signal,
    });
    return transactionReply(submissionId, answer, transactionResultOf(answer), preferredAsync);
  }
}
