import { Felts, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/** An aggregator returns up to five quotes. Reject answers with more quotes than this. */
const MAX_QUOTES = 50;
/** A swap is two calls. */
const MAX_CALLS = 16;
/** The network takes no more in a whole transaction. */
const MAX_CALLDATA_FELTS = 5_000;
/** Longest text of a felt: 77 decimal digits. */
const MAX_FELT_TEXT = 77;
/** One error can hold the trace of a contract. */
const MAX_ERROR_TEXT = 100_000;

/** Turns a text into what `parse` makes of it; the issue does not repeat the text. */
function felts<In, Out>(parse: (value: In) => Out): (value: In, context: z.RefinementCtx) => Out {
  return (value, context) => {
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof InvalidFelt)) throw error;
      context.addIssue({ code: 'custom', message: 'not a felt' });
      return z.NEVER;
    }
  };
}

/** An address, made canonical: upstreams differ in case and leading zeros. */
export const WireAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(felts((text): Felt => toFelt(text)));

/** A u256 in hex, with or without leading zeros. */
const WireAmount = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/**
 * In percent, below 0 for the better. What no market can do is no figure, but a lie or a mistake:
 * nothing else is believed of such an answer then.
 */
const PriceImpact = z.number().min(-100).max(100).nullish();
/** As a fraction. */
const EstimatedSlippage = z.number().min(0).max(1).nullish();

const Quote = z.object({
  quoteId: z.string().min(1).max(128),
  sellTokenAddress: WireAddress,
  sellAmount: WireAmount,
  buyTokenAddress: WireAddress,
  buyAmount: WireAmount,
  priceImpact: PriceImpact,
  estimatedSlippage: EstimatedSlippage,
});

export const Quotes = z.array(Quote).max(MAX_QUOTES);

const Call = z.object({
  contractAddress: WireAddress,
  entrypoint: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/),
  calldata: z
    .array(z.string().max(MAX_FELT_TEXT))
    .max(MAX_CALLDATA_FELTS)
    .transform(felts((texts: readonly string[]) => Felts.parse(texts))),
});

/** A build as the specification has it. */
export const Calls = z.array(Call).max(MAX_CALLS);
/** A build as the aggregator on mainnet has it. */
export const CallsInObject = z.object({ calls: Calls });

/** The body of a refusal. */
export const Refusal = z.object({
  messages: z.array(z.string().max(MAX_ERROR_TEXT)).max(100).nullish(),
  revertError: z.string().max(MAX_ERROR_TEXT).nullish(),
});
