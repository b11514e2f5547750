import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute, type Example } from '../definition.js';
import { DEFAULT_SLIPPAGE, MAX_SLIPPAGE } from '../limits.js';
import {
  EXAMPLE_CALLDATA,
  EXAMPLE_INPUT_POOL,
  ErrorBody,
  FeltText,
  PROOF_BODY_BYTES,
  SubmitHeaders,
  ProofCalldata,
  QuoteId,
  U256Text,
} from '../schemas.js';
import {
  DryRunQuery,
  DryRunReport,
  SUCCEEDED_EXAMPLE,
  SWAP_DRY_RUN_EXAMPLE,
  SwapResult,
  UNDECIDED_EXAMPLE,
  transactionReplies,
} from './transactions.js';

/** Leaf index in the reply to a failed private swap, which has no leaf. */
const NO_LEAF = -1;

const PrivateSwapRequest = z
  .strictObject({
    wbtcPool: FeltText.meta({
      description: 'Address of a pool that this relayer serves, of the kind `swap_input`.',
    }),
    proofCalldata: ProofCalldata,
    newCommitment: U256Text.meta({
      description:
        'Commitment of the output note: below the order of BN254’s scalar field, hex or decimal.',
      example: '0x2a1f5c',
    }),
    outputToken: FeltText.meta({
      description: 'Address of the token to swap into, one of those in `GET /api/relayer/pools`.',
    }),
    slippage: z
      .number()
      .default(DEFAULT_SLIPPAGE)
      .meta({
        description: `Largest tolerance below the quote as a fraction (0.02 = 2 %). It also applies if \`minAmountOut\` is set: at least \`minSlippage\` of \`GET /api/relayer/pools\`, at most ${MAX_SLIPPAGE}.`,
        example: 0.01,
      }),
    minAmountOut: U256Text.refine((amount) => amount > 0n, 'must be above 0')
      .optional()
      .meta({
        description:
          'Minimum output in addition to `slippage`, in the output token’s smallest unit, hex or decimal. The higher minimum applies.',
        example: '5400000000000000',
      }),
    quoteId: QuoteId.optional().meta({
      description:
        'Quote for a private swap from this pool: the proof’s fee is then checked against the quote instead of present prices. A quote is valid for one note.',
    }),
  })
  .meta({ id: 'PrivateSwapRequest' });

const replies = transactionReplies(
  SwapResult,
  {
    ...SUCCEEDED_EXAMPLE,
    value: { ...Object(SUCCEEDED_EXAMPLE.value), leafIndex: 12, outputAmount: '0x16345785d8a0000' },
  },
  UNDECIDED_EXAMPLE,
);

const REVERTED_EXAMPLE: Example = {
  summary: 'Reverted on chain: withdraw the note plainly at once',
  value: {
    ...Object(SUCCEEDED_EXAMPLE.value),
    execution_status: 'REVERTED',
    revert_reason: 'Insufficient tokens received',
    leafIndex: NO_LEAF,
    outputAmount: '0x0',
    noteAtRisk: { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' },
  },
};

export const privateSwap = describeRoute({
  method: 'post',
  path: '/api/relayer/private-swap',
  operationId: 'privateSwap',
  summary: 'Withdraw from a WBTC pool and swap into another token',
  description:
    'The proof’s recipient is the swap pool: it swaps the payout through the aggregator and keeps the output for the new commitment. ' +
    'A quote too far below the swap’s fair value by two independent prices is refused. The transaction is signed with the highest of: quote less `slippage`, `minAmountOut`, ' +
    'the minimum that the note’s first swap pinned, and that value less the largest impact; `floor` of the answer is this minimum. The same request again gets the same submission; ' +
    'one that is stricter than the swap in flight is `STRICTER_THAN_IN_FLIGHT`. On chain REVERTED, and every failure before, carry `leafIndex: -1`. ' +
    'The proof does not bind the new commitment, so operator and node are trusted with the swap. Before anything shows the proof, the note is ' +
    'pinned permanently to the commitment, the token and the minimum that its first request implies. Later swaps of the note get at least this minimum, even if they name a lower one. A swap with another commitment or token is `SWAP_PINNED`. ' +
    'Right before signing, the transaction is simulated on the pre-confirmed block. It is not sent if it would revert, or if it costs more than twice the cost that its admission assumed. A swap that reverts on chain is not tried again. ' +
    'A quoted swap whose simulation costs more than twice the cost that quotes assume is `COST_EXCEEDS_QUOTE`: the quote stays unused, the note stays pinned. ' +
    'With `dryRun=true` it only runs the checks up to the fair value: nothing is pinned, and the simulation, which would show the proof, is left out. ' +
    'A plain withdrawal of the note, with another proof, stays possible once no swap of the note is in flight. ' +
    'After REVERTED the proof is public: any account can send it to the input pool as a plain withdrawal that loses the note. `noteAtRisk` reports this; ' +
    'withdraw the note plainly at once, which is admitted when the revert is at ACCEPTED_ON_L2.',
  tag: 'relayer',
  limitedAs: 'submissions',
  felts: true,
  body: {
    schema: PrivateSwapRequest,
    limitBytes: PROOF_BODY_BYTES,
    examples: {
      swap: {
        summary: 'WBTC into ETH (calldata shortened)',
        value: {
          wbtcPool: EXAMPLE_INPUT_POOL,
          proofCalldata: EXAMPLE_CALLDATA,
          newCommitment: '0x1f6b0c3e5a7d9284c1e0b3f2d5a6978812345678aabbccddeeff001122334455',
          outputToken: '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
          slippage: 0.02,
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
      schema: z.union([SwapResult, DryRunReport]),
      examples: {
        ...replies[200].examples,
        reverted: REVERTED_EXAMPLE,
        dryRun: SWAP_DRY_RUN_EXAMPLE,
      },
    },
  },
  errors: CODES_OF.privateSwap,
  failure: {
    schema: ErrorBody.extend({ leafIndex: z.literal(NO_LEAF) }).meta({ id: 'PrivateSwapError' }),
    fields: { leafIndex: NO_LEAF },
  },
});
