import { absentAsNull } from '@sotto/http-client';
import { Felts, InvalidFelt, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';
import { QUOTE_READINGS, type AggregatorProtocol } from './profiles.js';

/** Maximum number of quotes in an accepted response; an aggregator returns up to five quotes. */
const MAX_QUOTES = 50;
/** Maximum number of calls of a build; a swap has two calls. */
const MAX_CALLS = 16;
/**
 * Maximum number of felts in the calldata of one call, equal to the network's limit for a whole
 * transaction.
 */
const MAX_CALLDATA_FELTS = 5_000;
/** Maximum number of characters of a felt: 77 decimal digits. */
const MAX_FELT_TEXT = 77;

/** Unix time in seconds; null for a quote without an expiry. */
const Expiry = z.preprocess(absentAsNull, z.int().min(0).max(1e12).nullable()).default(null);

/**
 * Converts `parse` to a zod transformation. If `parse` fails, the issue does not contain the value.
 */
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

/**
 * Schema of an address, converted to canonical form: upstreams differ in case and leading zeros.
 */
export const WireAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(felts((text): Felt => toFelt(text)));

/** Schema of a u256 in hex, with or without leading zeros. */
const WireAmount = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/**
 * Returns the schema of an optional number. Null, `{ value: null }` and an absent field are
 * equivalent.
 */
function optionalNumber({ least, most }: { readonly least: number; readonly most: number }) {
  return z.preprocess(absentAsNull, z.number().min(least).max(most).nullable()).default(null);
}

/** Schema of one quote, with numbers in the units of the protocol. */
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
    // A number outside the possible range makes the quote unusable.
    priceImpact: optionalNumber(priceImpact),
    estimatedSlippage: optionalNumber(estimatedSlippage),
    expiry: Expiry,
  });
}

/** Quote schemas by protocol. */
export const QUOTES = {
  spec: quoteSchema(QUOTE_READINGS.spec),
  avnu: quoteSchema(QUOTE_READINGS.avnu),
};

/** List of quotes. Each quote is parsed separately later. */
export const QuoteList = z.array(z.unknown()).max(MAX_QUOTES);

const Call = z.object({
  contractAddress: WireAddress,
  entrypoint: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/),
  calldata: z
    .array(z.string().max(MAX_FELT_TEXT))
    .max(MAX_CALLDATA_FELTS)
    .transform(felts((texts: readonly string[]) => Felts.parse(texts))),
});

/** Calls of a build in the specification's format. */
export const Calls = z.array(Call).max(MAX_CALLS);
/** Calls of a build in the format of the aggregator on mainnet. */
export const CallsInObject = z.object({ calls: Calls });
