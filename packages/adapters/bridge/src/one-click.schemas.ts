import { z } from 'zod';
import { IsoMoment, ShownText, TxHash, Word } from './wire.js';

/** Some times what is listed. */
const MAX_TOKENS = 5_000;
const MAX_HASHES = 100;

const Digits = z
  .string()
  .regex(/^[0-9]{1,78}$/)
  .transform(BigInt);

/** Answer to `GET /v0/tokens`. */
export const Tokens = z
  .array(
    z.object({
      assetId: Word,
      decimals: z.int().min(0).max(77),
      blockchain: z.string(),
      symbol: z.string(),
    }),
  )
  .max(MAX_TOKENS);
export type Tokens = z.output<typeof Tokens>;

/** Answer to `POST /v0/quote`: our request as it was understood, and the terms. */
export const OneClickQuote = z.object({
  quoteRequest: z.object({
    originAsset: z.string(),
    destinationAsset: z.string(),
    amount: z.string(),
    recipient: z.string(),
  }),
  quote: z.object({
    amountIn: Digits,
    amountOut: Digits,
    depositAddress: Word.nullish(),
    depositMemo: z.string().min(1).max(100).nullish(),
    deadline: IsoMoment,
    timeEstimate: z.number().nonnegative().optional().catch(undefined),
    withdrawFee: Digits.optional().catch(undefined),
  }),
});

const Hashes = z
  .array(z.object({ hash: TxHash }))
  .max(MAX_HASHES)
  .catch([]);

/** Answer to `GET /v0/status`. */
export const OneClickStatus = z.object({
  status: z.string().max(200),
  updatedAt: IsoMoment,
  swapDetails: z
    .object({
      originChainTxHashes: Hashes,
      destinationChainTxHashes: Hashes,
      amountOutFormatted: ShownText,
    })
    .catch({ originChainTxHashes: [], destinationChainTxHashes: [] }),
});
