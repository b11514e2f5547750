import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import { EXAMPLE_POOL, FeltText, SubmitHeaders, SMALL_BODY_BYTES } from '../schemas.js';
import {
  SUCCEEDED_EXAMPLE,
  TransactionResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
} from './transactions.js';

const DeployBatchRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    count: z.int().meta({
      description:
        'Deposits to deploy: 3, 5 or 7 (the sizes that the pool allows, see `GET /api/relayer/pools`); with `partial` any number from 1. At most the undeployed ones. If the service is configured so, a full batch must leave either no deposits or enough for another full batch.',
    }),
    partial: z.boolean().default(false).meta({
      description:
        'true: a batch of any size, at the price of privacy, because fewer deposits hide one another. Depending on the service’s settings it must contain all waiting deposits, at least two, each old enough, or it is reserved for the operator.',
    }),
  })
  .meta({ id: 'DeployBatchRequest' });

export const deployBatch = describeRoute({
  method: 'post',
  path: '/api/relayer/deploy-batch',
  operationId: 'deployBatch',
  summary: 'Move waiting deposits of a pool into its vault',
  description:
    'A pool has one deployment in flight at a time: an equal call gets the answer of the one in flight, another call waits its turn. ' +
    'A count that the pool can’t deploy is refused before any gas is spent.',
  tag: 'relayer',
  limitedAs: 'submissions',
  felts: true,
  body: {
    schema: DeployBatchRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      full: { summary: 'A batch of three', value: { poolAddress: EXAMPLE_POOL, count: 3 } },
      partial: {
        summary: 'A single deposit',
        value: { poolAddress: EXAMPLE_POOL, count: 1, partial: true },
      },
    },
  },
  headers: SubmitHeaders.extend({
    authorization: z.string().max(1_000).optional().meta({
      description:
        'An operator’s token, for a batch that is reserved for the operator; other requests need none.',
    }),
  }),
  replies: transactionReplies(TransactionResult, SUCCEEDED_EXAMPLE, UNDECIDED_EXAMPLE),
  errors: CODES_OF.deployBatch,
});
