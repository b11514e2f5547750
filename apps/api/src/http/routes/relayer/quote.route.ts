import type { Clock, Felt } from '@sotto/kernel';
import {
  type GetPoolCrowd,
  type GetPoolStatus,
  type IssueQuote,
  feeQuoteTypedData,
} from '@sotto/relayer-core';
import { z } from 'zod';
import { knownSoon } from '@sotto/submission-core';
import type { HttpPolicy } from '../../../composition/bindings.js';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { readFelt } from '../../read-felt.js';
import {
  AmountText,
  EXAMPLE_INPUT_POOL,
  EXAMPLE_POOL,
  EXAMPLE_SWAP_POOL,
  FeltText,
  LeafIndex,
  Operation,
  SMALL_BODY_BYTES,
} from '../../schemas.js';
import { CROWD_WAIT_MS, Crowd } from './crowd.js';
import { requireSwaps, toEstimateDto } from './estimate-told.js';
import { FEE_ESTIMATE_EXAMPLE, FeeEstimate } from './fee-estimate.schema.js';

const QuoteRequest = z
  .strictObject({
    poolAddress: FeltText.meta({ description: 'Address of a pool that this relayer serves.' }),
    leafIndex: LeafIndex.optional(),
    operation: Operation,
    batchStart: z
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .optional()
      .meta({
        description:
          'First leaf of the batch that the proof will name: with it, the answer has `crowd`. Anybody can read it from the proof.',
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
      'What was signed. Make it from the other fields when you verify: then nothing else can have been signed.',
  });

const Quote = z
  .object({
    quoteId: z.string().meta({ description: 'To cite in the withdrawal.' }),
    chainId: z.string(),
    pool: z.string(),
    relayer: z
      .string()
      .meta({ description: 'The address that the proof must name as its relayer.' }),
    operation: z.enum(['withdraw', 'private_swap']).meta({ description: 'What the quote serves.' }),
    leafIndex: z.int().min(0).optional().meta({
      description: 'The note of the swap pool whose withdrawal it serves. Only for that pool.',
    }),
    fee: AmountText.meta({
      description: 'The fee to put into the proof, in the smallest unit of `feeToken`.',
    }),
    feeAmount: AmountText.meta({ description: 'As `fee`.' }),
    feeToken: z.string().meta({ description: 'Address of the token that the fee is paid in.' }),
    maxFeeAmount: AmountText.meta({
      description: 'The most that the pool allows, in the unit of `feeAmount`.',
    }),
    expiresAt: z
      .int()
      .meta({ description: 'Unix time in seconds from which on the quote binds no more.' }),
    signer: z.string().meta({ description: 'The account whose key signed the typed data.' }),
    signature: z.tuple([z.string(), z.string()]).meta({ description: 'r and s.' }),
    typedData: TypedData,
    crowd: Crowd.nullable().optional().meta({
      description:
        'The batch that begins at `batchStart`. Null when none does or it can’t be read now; left out where it was not asked for.',
    }),
    estimate: FeeEstimate.meta({ description: 'What the fee is made of.' }),
  })
  .meta({ id: 'Quote' });

const EXAMPLE_QUOTE = {
  id: 'q7Zr0cV4T1mJx2yN8bKdLw',
  chainId: '0x534e5f4d41494e',
  relayer: '0x7a1e5f',
  expiresAt: 1_792_000_000,
} as const;

const quote = describeRoute({
  method: 'post',
  path: '/api/relayer/quote',
  operationId: 'issueQuote',
  summary: 'Get a fee that binds the relayer',
  description:
    'A withdrawal or, if it was asked for that, a private swap from this pool that cites the quote is admitted at its fee until it expires, whatever ' +
    'prices do. It serves one note, in the swap pool the one in `leafIndex`. ' +
    'The signature is over SNIP-12 typed data, so that it can be verified without asking anybody.',
  tag: 'relayer',
  limitedAs: 'quotes',
  body: {
    schema: QuoteRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      pool: { summary: 'For a WBTC pool', value: { poolAddress: EXAMPLE_POOL } },
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
  errors: ERRORS_OF.quote,
});

/** `POST /api/relayer/quote`. */
export class QuoteRoute implements Route {
  static readonly definition = quote;
  readonly definition = quote;
  readonly handler = handlerFor(quote, (input) => this.#answer(input));

  constructor(
    private readonly issueQuote: IssueQuote,
    private readonly getPoolStatus: GetPoolStatus,
    private readonly getPoolCrowd: GetPoolCrowd,
    private readonly policy: HttpPolicy,
    private readonly clock: Clock,
  ) {}

  async #answer({ body, caller }: InputOf<typeof quote>): Promise<AnswerOf<typeof quote>> {
    const poolAddress = readFelt('body.poolAddress', body.poolAddress);
    const { operation, leafIndex = null, batchStart } = body;
    if (operation === 'private_swap') requireSwaps(this.policy);
    const issued = await this.issueQuote.execute({ poolAddress, operation, leafIndex, caller });
    const estimate = toEstimateDto(issued.estimate, poolAddress, this.policy);
    const { id, chainId, pool, relayer, feeAmount, expiresAtMs, signer, signature } = issued.quote;
    return {
      status: 200,
      body: {
        quoteId: id,
        chainId,
        pool,
        relayer,
        operation: issued.quote.operation,
        ...(issued.quote.leafIndex === null ? {} : { leafIndex: issued.quote.leafIndex }),
        fee: String(feeAmount),
        feeAmount: String(feeAmount),
        feeToken: estimate.feeToken,
        maxFeeAmount: String(issued.maxFeeAmount),
        expiresAt: expiresAtMs / 1_000,
        signer,
        signature,
        typedData: feeQuoteTypedData(issued.quote),
        ...(batchStart === undefined
          ? {}
          : {
              crowd: await knownSoon(
                this.#crowd(poolAddress, batchStart),
                this.clock,
                CROWD_WAIT_MS,
              ),
            }),
        estimate,
      },
    };
  }

  async #crowd(pool: Felt, batchStart: number): Promise<z.input<typeof Crowd> | null> {
    return this.getPoolCrowd.ofBatch(pool, batchStart, await this.getPoolStatus.execute(pool));
  }
}
