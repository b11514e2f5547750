import * as z from 'zod';
import { AmountText } from '../schemas.js';

/** Amounts of a private swap, of a quote and of a dry run. */
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
      description:
        'Output that the best usable quote promises, in the output token’s smallest unit.',
    }),
    minAmountOut: AmountText.meta({
      description:
        'Minimum that the swap is signed with at this quote: less reverts. In the output token’s smallest unit.',
    }),
    priceImpact: z.number().meta({
      description:
        'Part of `fairAmount` that `quotedAmount` falls short of, as a fraction like `slippage` (0.02 = 2 %); below 0 for a quote above it. Computed from these amounts: what the aggregator states can only refuse a quote.',
    }),
    expiresAt: z.int().meta({
      description:
        'Unix seconds: ask again after it. Nothing is reserved until then, and the swap is quoted again.',
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
