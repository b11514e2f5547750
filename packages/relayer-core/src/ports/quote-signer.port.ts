import type { FeeQuote, SignedFeeQuote } from '../domain/fee-quote.js';

/** Signs quotes as SNIP-12 typed data with a relayer account's key. */
export interface QuoteSigner {
  sign(quote: FeeQuote): Promise<SignedFeeQuote>;
}

export const QuoteSigner: unique symbol = Symbol.for('@sotto/relayer-core/QuoteSigner');
