import * as z from 'zod';
import { AmountText } from '../schemas.js';

/** Amounts in a private swap, returned in a quote and in a dry run's report. */
export const SwapAmounts = z
  .object({
    sellAmount: AmountText.meta({
      description:
        'Sold amount: the payout of one note less `feeAmount`, in the smallest unit of the pool’s token.',
    }),
    feeAmount: AmountText.meta({
      description: 'Fee of the relayer, in the smallest unit of the pool’s token.',
    }),
    fairAmount: AmountText.meta({
      description:
        'Value of `sellAmount` by two independent prices, in the output token’s smallest unit.',
    }),
    quotedAmount: AmountText.meta({
      description: 'Output of the best usable quote, in the output token’s smallest unit.',
    }),
    minAmountOut: AmountText.meta({
      description:
        'Minimum that is signed at this quote: a swap with less output reverts. In the output token’s smallest unit.',
    }),
    priceImpact: z.number().meta({
      description:
        'Shortfall of `quotedAmount` from `fairAmount`, as a fraction like `slippage` (0.02 = 2 %); negative if the quote is above it. Computed from these amounts: figures stated by the aggregator can only cause a refusal.',
    }),
    expiresAt: z.int().meta({
      description:
        'Unix seconds after which to request a new quote. Nothing is reserved until then, and the swap itself is quoted again.',
    }),
  })
  .meta({ id: 'SwapAmounts' });

export const SWAP_AMOUNTS_EXAMPLE = {
  sellAmount: '19834',
  feeAmount: '166',
  fairAmount: '5602345678901234',
  quotedAmount: '5591000000000000',
  minAmountOut: '5535090000000000',
  priceImpact: 0.002026,
  expiresAt: 1_790_000_030,
};
