import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute } from '../definition.js';
import { DEFAULT_SLIPPAGE, MAX_SLIPPAGE } from '../limits.js';
import { EXAMPLE_INPUT_POOL, FeltText } from '../schemas.js';
import { SWAP_AMOUNTS_EXAMPLE, SwapAmounts } from './swap-amounts.js';

const EXAMPLE_OUTPUT = '0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7';

const SwapQuote = SwapAmounts.extend({
  pool: z.string().meta({ description: 'Address of the pool.' }),
  sellToken: z.string().meta({
    description: 'Address of the pool’s token, the unit of `sellAmount` and `feeAmount`.',
  }),
  outputToken: z.string().meta({
    description:
      'Address of the output token, the unit of `fairAmount`, `quotedAmount` and `minAmountOut`.',
  }),
}).meta({ id: 'SwapQuote' });

export const swapQuote = describeRoute({
  method: 'get',
  path: '/api/relayer/swap-quote',
  operationId: 'quoteSwap',
  summary: 'Present amounts of a private swap of one note',
  description:
    'Without a proof, at the recommended fee of a private swap. The best usable quote of the aggregator is compared with the fair value by two independent prices; ' +
    'one too far below it is `PRICE_IMPACT_TOO_HIGH` with both amounts. Nothing is reserved: the swap itself is quoted again, and signed with a minimum that follows from that quote. ' +
    'Requests to the aggregator that callers may cause are limited and shared: the reply `OVERLOADED` names the time of the next try.',
  tag: 'relayer',
  limitedAs: 'quotes',
  felts: true,
  query: z.strictObject({
    pool: FeltText.meta({
      description: 'Address of a pool that this relayer serves, of the kind `swap_input`.',
      example: EXAMPLE_INPUT_POOL,
    }),
    outputToken: FeltText.meta({
      description: 'Address of the token to swap into, one of those in `GET /api/relayer/pools`.',
      example: EXAMPLE_OUTPUT,
    }),
    slippage: z
      .string()
      .regex(/^(?:0|1|0?\.\d{1,15})$/, 'must be a fraction from 0 to 1')
      .transform(Number)
      .default(DEFAULT_SLIPPAGE)
      .meta({
        description: `Largest tolerance below the quote as a fraction (0.02 = 2 %), at most ${MAX_SLIPPAGE}; default ${DEFAULT_SLIPPAGE}.`,
        example: '0.01',
      }),
  }),
  replies: {
    200: {
      description: 'The amounts at the best usable quote',
      schema: SwapQuote,
      examples: {
        quote: {
          summary: 'WBTC into ETH',
          value: {
            ...SWAP_AMOUNTS_EXAMPLE,
            pool: EXAMPLE_INPUT_POOL,
            sellToken: '0x3fe2b97c1fd336e750087d68b9b867997fd64a2661ff3ca5a7c771641e8e7ac',
            outputToken: EXAMPLE_OUTPUT,
          },
        },
      },
    },
  },
  errors: CODES_OF.swapQuote,
});
