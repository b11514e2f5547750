import { absentAsNull } from '@sotto/http-client';
import { Felts, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';
import { QUOTE_READINGS, type AggregatorProtocol } from './profiles.js';

/** An aggregator returns up to five quotes. Reject answers with more quotes than this. */
const MAX_QUOTES = 50;
/** A swap is two calls. */
const MAX_CALLS = 16;
/** The network takes no more in a whole transaction. */
const MAX_CALLDATA_FELTS = 5_000;
/** Longest text of a felt: 77 decimal digits. */
const MAX_FELT_TEXT = 77;

/** Unix time in seconds; null for a quote whose end is not stated. */
const Expiry = z.preprocess(absentAsNull, z.int().min(0).max(1e12).nullable()).default(null);

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

/** An optional number: null, `{ value: null }` and absent are the same. */
function optionalNumber({ least, most }: { readonly least: number; readonly most: number }) {
  return z.preprocess(absentAsNull, z.number().min(least).max(most).nullable()).default(null);
}

/** One quote, with its numbers in the units of the protocol. */
function quoteSchema({
  priceImpact,
  estimatedSlippage,
}: (typeof QUOTE_READINGS)[AggregatorProtocol]) {
  return z.object({
    quoteId: z.string().min(1).max(128),
    sellTokenAddress: WireAddress,
    sellAmount: WireAmount,
    buyTokenAddress: WireAddress,
    buyAmount: WireAmount,
    // A number that no market can have makes the quote unusable.
    priceImpact: optionalNumber(priceImpact),
    estimatedSlippage: optionalNumber(estimatedSlippage),
    expiry: Expiry,
  });
}

/** Quotes by protocol. */
export const QUOTES = {
  spec: quoteSchema(QUOTE_READINGS.spec),
  avnu: quoteSchema(QUOTE_READINGS.avnu),
};

/** The list that holds quotes; each is parsed by itself. */
export const QuoteList = z.array(z.unknown()).max(MAX_QUOTES);

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
