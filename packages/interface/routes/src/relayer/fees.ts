import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import {
  AmountText,
  DENOMINATION_UNIT,
  EXAMPLE_INPUT_POOL,
  EXAMPLE_POOL,
  EXAMPLE_SWAP_POOL,
  FeltText,
  LeafIndex,
  LeafIndexText,
  Operation,
  RecipientGasFri,
  SMALL_BODY_BYTES,
} from '../schemas.js';
import { Crowd } from './pools.js';

const Strk = z.number().min(0);

const Fri = z.string().regex(/^\d+$/);

/** Fee, and the amounts of which it is the sum. */
const FeeEstimate = z
  .object({
    feeSats: z.int().min(0).meta({
      description:
        'The fee in sats, with a margin of 20 % and at most the pool’s maximum. For a fee in another token than WBTC its value in sats, rounded up, for display. A proof carries `feeAmount`.',
    }),
    feeAmount: AmountText.meta({
      description:
        'Fee to put into a proof, in the smallest unit of `feeToken`, as text because wei can exceed a JSON number.',
    }),
    feeToken: z.string().meta({ description: 'Address of the token in which the fee is paid.' }),
    feeBreakdown: z
      .object({
        depositGasStrk: Strk.meta({ description: 'Gas of the deposit, in STRK.' }),
        deployBatchGasStrk: Strk.meta({
          description: 'One deposit’s share of its batch, in STRK.',
        }),
        withdrawGasStrk: Strk.meta({ description: 'Gas of the withdrawal, in STRK.' }),
        totalGasStrk: Strk.meta({ description: 'All of these, in STRK.' }),
        totalGasUsd: Strk.meta({ description: 'All of these, in USD.' }),
        recipientGasStrk: Strk.optional().meta({
          description:
            'STRK for the recipient. The fee includes it in addition to `totalGasStrk`. Only with `recipientGasFri`.',
        }),
        marginPercent: z.number().meta({ description: 'Margin on top of the cost, in percent.' }),
      })
      .meta({ description: 'Cost of one deposit, its share of a batch and one withdrawal.' }),
    gasPrices: z.object({
      l2GasPriceFri: Fri.meta({ description: 'Price of one unit of L2 gas, in fri.' }),
      l1DataGasPriceFri: Fri.meta({ description: 'Price of one unit of L1 data gas, in fri.' }),
    }),
    withdrawGas: z
      .object({
        l2Gas: z.int().min(0).meta({ description: 'L2 gas assumed for the withdrawal.' }),
        l1DataGas: z.int().min(0).meta({ description: 'L1 data gas assumed for the withdrawal.' }),
        source: z.enum(['profile', 'receipts']).meta({
          description:
            'Source of these figures: `receipts` of succeeded withdrawals from the pool (nine in ten used no more), or the network `profile` before the first receipt.',
        }),
        receipts: z
          .int()
          .min(0)
          .meta({ description: 'Number of receipts used; at most the newest hundred are kept.' }),
        ageSeconds: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Age of the newest receipt; null without one.' }),
      })
      .meta({
        description:
          'Gas behind `withdrawGasStrk`. Without `pool`, that of the pool whose withdrawals use most.',
      }),
    prices: z.object({
      strkUsd: z.number().meta({ description: 'One STRK in USD.' }),
      btcUsd: z.number().meta({ description: 'One BTC in USD.' }),
    }),
    maxFeeSats: z.int().min(0).optional().meta({
      description: 'Value of the pool’s maximum fee in sats, rounded down. Only with `pool`.',
    }),
    maxFeeAmount: AmountText.optional().meta({
      description: 'The pool’s maximum fee, in the unit of `feeAmount`. Only with `pool`.',
    }),
    denomination: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: `The pool’s deposit size: ${DENOMINATION_UNIT}. Only with \`pool\`, and not for the swap pool, which has none.`,
      }),
  })
  .meta({ id: 'FeeEstimate' });

const FEE_ESTIMATE_EXAMPLE = {
  feeSats: 166,
  feeAmount: '166',
  feeToken: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
  feeBreakdown: {
    depositGasStrk: 0.024,
    deployBatchGasStrk: 0.012,
    withdrawGasStrk: 1.05,
    totalGasStrk: 1.086,
    totalGasUsd: 0.13032,
    marginPercent: 20,
  },
  gasPrices: { l2GasPriceFri: '30000000000', l1DataGasPriceFri: '45000' },
  withdrawGas: {
    l2Gas: 35_000_000,
    l1DataGas: 5_000,
    source: 'receipts' as const,
    receipts: 64,
    ageSeconds: 12,
  },
  prices: { strkUsd: 0.12, btcUsd: 95_000 },
  maxFeeSats: 1_000,
  maxFeeAmount: '1000',
  denomination: 20_000,
};

/** Example: estimate for a note that holds 0.0056 ETH. */
const SWAP_OUTPUT_ESTIMATE_EXAMPLE = {
  feeSats: 160,
  feeAmount: '43200000009258',
  feeToken: '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
  feeBreakdown: {
    depositGasStrk: 0,
    deployBatchGasStrk: 0,
    withdrawGasStrk: 1.05,
    totalGasStrk: 1.05,
    totalGasUsd: 0.126,
    marginPercent: 20,
  },
  gasPrices: { l2GasPriceFri: '30000000000', l1DataGasPriceFri: '45000' },
  withdrawGas: {
    l2Gas: 35_000_000,
    l1DataGas: 5_000,
    source: 'profile' as const,
    receipts: 0,
    ageSeconds: null,
  },
  prices: { strkUsd: 0.12, btcUsd: 95_000 },
  maxFeeSats: 1_031,
  maxFeeAmount: '280000000000000',
};

export const feeEstimate = describeRoute({
  method: 'get',
  path: '/api/relayer/fee-estimate',
  operationId: 'estimateFee',
  summary: 'Present cost of a withdrawal',
  description:
    'From live gas and market prices; when one of them is not known, too old or disagreed on, the answer is an error, never a guess. ' +
    'With `pool` the fee is in that pool’s token and capped at its maximum. For the swap pool it is in the token of the note in `leafIndex`, and only ' +
    'of its withdrawal: the swap has paid for itself. `feeAmount`, `feeToken` and `maxFeeAmount` are exact and go into a proof; `feeSats` and `maxFeeSats` are their values in sats.',
  tag: 'relayer',
  limitedAs: 'reads',
  felts: true,
  query: z.strictObject({
    pool: FeltText.optional().meta({
      description: 'Address of a pool that this relayer serves.',
      example: EXAMPLE_POOL,
    }),
    leafIndex: LeafIndexText.optional(),
    operation: Operation,
    recipientGasFri: RecipientGasFri.optional(),
  }),
  replies: {
    200: {
      description: 'The recommended fee and its parts',
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
  cached: { cacheControl: 'public, max-age=5', freshMs: 500, staleMs: 5_000 },
  errors: CODES_OF.feeEstimate,
});

const QuoteRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    leafIndex: LeafIndex.optional(),
    operation: Operation,
    recipientGasFri: RecipientGasFri.optional(),
    batchStart: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .meta({
        description:
          'First leaf of the batch that the proof will name: if set, the reply includes `crowd`. The proof reveals it to everyone.',
      }),
  })
  .meta({ id: 'QuoteRequest' });

const TypedField = z.object({ name: z.string(), type: z.string() });

/** SNIP-12 typed data, revision 1. */
const TypedData = z
  .object({
    types: z.object({ StarknetDomain: z.array(TypedField), FeeQuote: z.array(TypedField) }),
    primaryType: z.literal('FeeQuote'),
    domain: z.object({
      name: z.string(),
      version: z.string(),
      chainId: z.string(),
      revision: z.string(),
    }),
    message: z.object({
      id: z.string(),
      pool: z.string(),
      relayer: z.string(),
      fee: z.object({ low: z.string(), high: z.string() }),
      expires_at: z.string(),
    }),
  })
  .meta({
    id: 'FeeQuoteTypedData',
    description:
      'Signed data. To verify the signature, build it from the other fields instead: this ensures that nothing else was signed.',
  });

const Quote = z
  .object({
    quoteId: z.string().meta({ description: 'Id to cite in the withdrawal.' }),
    chainId: z.string(),
    pool: z.string(),
    relayer: z
      .string()
      .meta({ description: 'The address that the proof must name as its relayer.' }),
    operation: z
      .enum(['withdraw', 'private_swap'])
      .meta({ description: 'Operation that the quote is valid for.' }),
    leafIndex: z.int().min(0).optional().meta({
      description: 'Note of the swap pool whose withdrawal is quoted. Only for that pool.',
    }),
    recipientGasFri: AmountText.optional().meta({
      description:
        'STRK for the recipient that the fee includes, in fri: the withdrawal must request the same amount. Only if it was requested.',
    }),
    fee: AmountText.meta({
      description: 'The fee to put into the proof, in the smallest unit of `feeToken`.',
    }),
    feeAmount: AmountText.meta({ description: 'Equal to `fee`.' }),
    feeToken: z.string().meta({ description: 'Address of the token that the fee is paid in.' }),
    maxFeeAmount: AmountText.meta({
      description: 'The pool’s maximum fee, in the unit of `feeAmount`.',
    }),
    expiresAt: z
      .int()
      .meta({ description: 'Unix time in seconds at which the quote stops binding the relayer.' }),
    signer: z.string().meta({ description: 'Account whose key signed the typed data.' }),
    signature: z.array(z.string()).length(2).meta({ description: 'r and s.' }),
    typedData: TypedData,
    crowd: Crowd.nullable().optional().meta({
      description:
        'Batch that begins at `batchStart`. Null if no batch begins there or it can’t be read now; absent if it was not requested.',
    }),
    estimate: FeeEstimate.meta({ description: 'Parts of the fee.' }),
  })
  .meta({ id: 'Quote' });

const EXAMPLE_QUOTE = {
  id: 'q7Zr0cV4T1mJx2yN8bKdLw',
  chainId: '0x534e5f4d41494e',
  relayer: '0x7a1e5f',
  expiresAt: 1_792_000_000,
} as const;

export const quote = describeRoute({
  method: 'post',
  path: '/api/relayer/quote',
  operationId: 'issueQuote',
  summary: 'Get a quote that binds the relayer to a fee',
  description:
    'A withdrawal from this pool that cites the quote is admitted at its fee until it expires. So is a private swap, if the quote was requested for one. The fee stays the same even if ' +
    'prices do. The quote serves one note; in the swap pool, this is the note in `leafIndex`. ' +
    'The signature is over SNIP-12 typed data, so that it can be verified without a request.',
  tag: 'relayer',
  limitedAs: 'quotes',
  felts: true,
  body: {
    schema: QuoteRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      pool: { summary: 'For a WBTC pool', value: { poolAddress: EXAMPLE_POOL } },
      recipientGas: {
        summary: 'For a withdrawal to a fresh account, with 0.05 STRK',
        value: { poolAddress: EXAMPLE_POOL, recipientGasFri: '50000000000000000' },
      },
      crowd: {
        summary: 'For a note of a batch',
        value: { poolAddress: EXAMPLE_POOL, batchStart: 15 },
      },
      privateSwap: {
        summary: 'For a private swap',
        value: { poolAddress: EXAMPLE_INPUT_POOL, operation: 'private_swap' },
      },
      swapOutput: {
        summary: 'For a note of the swap pool',
        value: { poolAddress: EXAMPLE_SWAP_POOL, leafIndex: 12 },
      },
    },
  },
  replies: {
    200: {
      description: 'The quote',
      schema: Quote,
      examples: {
        quote: {
          summary: 'For a WBTC pool',
          value: {
            quoteId: EXAMPLE_QUOTE.id,
            chainId: EXAMPLE_QUOTE.chainId,
            pool: EXAMPLE_POOL,
            relayer: EXAMPLE_QUOTE.relayer,
            operation: 'withdraw',
            fee: '166',
            feeAmount: '166',
            feeToken: FEE_ESTIMATE_EXAMPLE.feeToken,
            maxFeeAmount: '1000',
            expiresAt: EXAMPLE_QUOTE.expiresAt,
            signer: '0x1a9e4c',
            signature: ['0x4d1f0a', '0x2be77c'],
            typedData: {
              types: {
                StarknetDomain: [{ name: 'name', type: 'shortstring' }],
                FeeQuote: [{ name: 'id', type: 'string' }],
              },
              primaryType: 'FeeQuote',
              domain: {
                name: 'Sotto',
                version: '1',
                chainId: EXAMPLE_QUOTE.chainId,
                revision: '1',
              },
              message: {
                id: EXAMPLE_QUOTE.id,
                pool: EXAMPLE_POOL,
                relayer: EXAMPLE_QUOTE.relayer,
                fee: { low: '166', high: '0' },
                expires_at: String(EXAMPLE_QUOTE.expiresAt),
              },
            },
            estimate: FEE_ESTIMATE_EXAMPLE,
          },
        },
      },
    },
  },
  errors: CODES_OF.quote,
});
