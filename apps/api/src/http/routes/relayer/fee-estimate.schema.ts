import { z } from 'zod';
import { AmountText } from '../../schemas.js';
import { DENOMINATION_UNIT } from '../../told-denomination.js';

const Strk = z.number().min(0);
const Fri = z.string().regex(/^\d+$/);

/** A fee and its parts. */
export const FeeEstimate = z
  .object({
    feeSats: z.int().min(1).meta({
      description:
        'Fee to put into a proof, with a margin of 20 % and at most what the pool allows. In sats; for a stablecoin pool in the smallest unit of its token; for a note of the swap pool what the fee is worth in sats, rounded up.',
    }),
    feeAmount: AmountText.meta({
      description:
        'The same fee in the smallest unit of `feeToken`, as text: wei are more than a JSON number holds.',
    }),
    feeToken: z.string().meta({ description: 'Address of the token that the fee is paid in.' }),
    feeBreakdown: z
      .object({
        depositGasStrk: Strk.meta({ description: 'Gas of the deposit, in STRK.' }),
        deployBatchGasStrk: Strk.meta({
          description: 'One deposit’s share of its batch, in STRK.',
        }),
        withdrawGasStrk: Strk.meta({ description: 'Gas of the withdrawal, in STRK.' }),
        totalGasStrk: Strk.meta({ description: 'All of these, in STRK.' }),
        totalGasUsd: Strk.meta({ description: 'All of these, in USD.' }),
        marginPercent: z.number().meta({ description: 'Margin on top of the cost, in percent.' }),
      })
      .meta({ description: 'What the cycle of deposit, batch and withdrawal costs.' }),
    gasPrices: z.object({
      l2GasPriceFri: Fri.meta({ description: 'Price of one unit of L2 gas, in fri.' }),
      l1DataGasPriceFri: Fri.meta({ description: 'Price of one unit of L1 data gas, in fri.' }),
    }),
    withdrawGas: z
      .object({
        l2Gas: z.int().min(0).meta({ description: 'L2 gas that the withdrawal is taken to use.' }),
        l1DataGas: z.int().min(0).meta({ description: 'Its L1 data gas.' }),
        source: z.enum(['profile', 'receipts']).meta({
          description:
            'How that is known: `receipts` of succeeded withdrawals from the pool (nine in ten used no more), or a figure of the network `profile` before the first.',
        }),
        receipts: z
          .int()
          .min(0)
          .meta({ description: 'How many receipts say so; at most the newest hundred are kept.' }),
        ageSeconds: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Age of the newest receipt; null without one.' }),
      })
      .meta({
        description:
          'The gas that `withdrawGasStrk` is made of. Without `pool`, of the pool whose withdrawals use most.',
      }),
    prices: z.object({
      strkUsd: z.number().meta({ description: 'One STRK in USD.' }),
      btcUsd: z.number().meta({ description: 'One BTC in USD.' }),
    }),
    maxFeeSats: z.int().min(0).optional().meta({
      description:
        'The maximum fee, in the unit of `feeSats` (of a swap pool’s note rounded down). Only with `pool`.',
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

export const FEE_ESTIMATE_EXAMPLE = {
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

/** The note holds 0.0056 ETH. */
export const SWAP_OUTPUT_ESTIMATE_EXAMPLE = {
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
