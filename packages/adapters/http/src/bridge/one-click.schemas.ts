import { z } from 'zod';
import {
  Deadline,
  HashText,
  IsoMoment,
  ReasonText,
  TokenAmount,
  Word,
  elementsOf,
  readElements,
} from './wire.js';

/** Maximum number of tokens in a list, several times the current number. */
const MAX_TOKENS = 5_000;
const MAX_HASHES = 100;

const Digits = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt);

/**
 * Amount in smallest units, as digits or as a whole number; undefined for null, absent and all
 * other values.
 */
const Units = z
  .union([Digits, z.int().nonnegative().transform(BigInt)])
  .optional()
  .catch(undefined);

/**
 * Schema of a token in the list. If the name is readable but the id or the decimals are not,
 * `assetId` is null. The token stays in the list, so that a second token of this name is treated as
 * ambiguous.
 */
const Token = z.union([
  z.object({
    assetId: Word,
    decimals: z.int().min(0).max(77),
    blockchain: z.string(),
    symbol: z.string(),
  }),
  z
    .object({ blockchain: z.string(), symbol: z.string() })
    .transform((name) => ({ ...name, assetId: null, decimals: null })),
]);
export type Token = z.output<typeof Token>;

/** Response to `GET /v0/tokens`. */
export const Tokens = z
  .array(z.unknown())
  .max(MAX_TOKENS)
  .transform((list) => readElements(Token, list));

/** Our request as 1Click interpreted it. */
const QuoteRequest = z.object({
  dry: z.boolean(),
  swapType: z.string(),
  slippageTolerance: z.number(),
  originAsset: z.string(),
  depositType: z.string(),
  destinationAsset: z.string(),
  amount: z.string(),
  refundTo: z.string(),
  refundType: z.string(),
  recipient: z.string(),
  recipientType: z.string(),
  depositMode: z.string().nullish(),
  appFees: z.unknown().optional(),
  customRecipientMsg: z.unknown().optional(),
  virtualChainRecipient: z.unknown().optional(),
  virtualChainRefundRecipient: z.unknown().optional(),
});

/** Response to `POST /v0/quote`: our request as 1Click interpreted it, and the terms. */
export const OneClickQuote = z.object({
  quoteRequest: QuoteRequest,
  quote: z.object({
    amountIn: Digits,
    amountOut: Digits,
    depositAddress: Word.nullish(),
    depositMemo: z.string().min(1).max(100).nullish(),
    deadline: Deadline,
    timeWhenInactive: Deadline,
    timeEstimate: z.number().nonnegative().optional().catch(undefined),
    withdrawFee: Digits.optional().catch(undefined),
  }),
});

const Hashes = elementsOf(z.object({ hash: HashText }), MAX_HASHES);

const OptionalText = z.string().optional().catch(undefined);

const Details = z.object({
  originChainTxHashes: Hashes,
  destinationChainTxHashes: Hashes,
  amountIn: Units,
  amountInFormatted: TokenAmount,
  amountOut: Units,
  amountOutFormatted: TokenAmount,
  depositedAmount: Units,
  depositedAmountFormatted: TokenAmount,
  refundedAmount: Units,
  refundedAmountFormatted: TokenAmount,
  refundReason: ReasonText,
});

/** Response to `GET /v0/status`. */
export const OneClickStatus = z.object({
  status: z.string().max(200),
  updatedAt: IsoMoment,
  swapDetails: z.preprocess(
    (value) => (typeof value === 'object' && value !== null ? value : {}),
    Details,
  ),
  /** Quote of the transfer, repeated in the status. Unreadable fields are not compared. */
  quoteResponse: z
    .object({
      quoteRequest: z
        .object({
          amount: OptionalText,
          recipient: OptionalText,
          originAsset: OptionalText,
          destinationAsset: OptionalText,
        })
        .optional()
        .catch(undefined),
      quote: z
        .object({
          depositAddress: OptionalText,
          deadline: Deadline.catch(undefined),
          timeWhenInactive: Deadline.catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type OneClickStatus = z.output<typeof OneClickStatus>;
