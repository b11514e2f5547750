import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import {
  EXAMPLE_CALLDATA,
  EXAMPLE_POOL,
  FeltText,
  LeafIndex,
  PROOF_BODY_BYTES,
  SubmitHeaders,
  ProofCalldata,
  QuoteId,
  RecipientGasFri,
} from '../schemas.js';
import {
  DRY_RUN_EXAMPLE,
  DryRunQuery,
  DryRunReport,
  SUCCEEDED_EXAMPLE,
  TransactionResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
} from './transactions.js';

const WithdrawRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    calldata: ProofCalldata,
    leafIndex: LeafIndex.optional().meta({
      description:
        'Note of the swap pool that the proof spends. The proof names it as the start of a batch of 1, so it may be omitted; a different value is refused.',
    }),
    quoteId: QuoteId.optional().meta({
      description:
        'Quote for this pool: the proof’s fee is then checked against the quote instead of present prices. A quote is valid for one withdrawal.',
    }),
    recipientGasFri: RecipientGasFri.optional(),
  })
  .meta({ id: 'WithdrawRequest' });

const replies = transactionReplies(TransactionResult, SUCCEEDED_EXAMPLE, UNDECIDED_EXAMPLE);

export const withdraw = describeRoute({
  method: 'post',
  path: '/api/relayer/withdraw',
  operationId: 'submitWithdrawal',
  summary: 'Relay a withdrawal proof to a shielded pool',
  description:
    'Accepts proofs of every pool that is served, including the swap pool: there a note from a private swap is a batch of 1, and pays its fee in the note’s token. ' +
    'Checks the proof, puts it on chain exactly once and waits for the outcome. The same request again gets the same submission and the same answer. ' +
    'After one that ended without success it is a new attempt. A request for the same note with another `recipientGasFri` is a different request: WITHDRAWAL_IN_PROGRESS while the first is in flight, NULLIFIER_SPENT after it succeeded. With `dryRun=true` it only runs the checks and reports each, at no cost.',
  tag: 'relayer',
  limitedAs: 'submissions',
  felts: true,
  body: {
    schema: WithdrawRequest,
    limitBytes: PROOF_BODY_BYTES,
    examples: {
      plain: {
        summary: 'A withdrawal (calldata shortened)',
        value: { poolAddress: EXAMPLE_POOL, calldata: EXAMPLE_CALLDATA },
      },
      quoted: {
        summary: 'A withdrawal that cites a quote (calldata shortened)',
        value: {
          poolAddress: EXAMPLE_POOL,
          calldata: EXAMPLE_CALLDATA,
          quoteId: 'q7Zr0cV4T1mJx2yN8bKdLw',
        },
      },
      recipientGas: {
        summary: 'A withdrawal to a fresh account, with 0.05 STRK (calldata shortened)',
        value: {
          poolAddress: EXAMPLE_POOL,
          calldata: EXAMPLE_CALLDATA,
          recipientGasFri: '50000000000000000',
        },
      },
    },
  },
  query: DryRunQuery,
  headers: SubmitHeaders,
  replies: {
    ...replies,
    200: {
      ...replies[200],
      description: `${replies[200].description}; or the report of a dry run, which has no submission resource`,
      schema: z.union([TransactionResult, DryRunReport]),
      examples: { ...replies[200].examples, dryRun: DRY_RUN_EXAMPLE },
    },
  },
  errors: CODES_OF.withdraw,
});
