import type { FeeQuote, SignedFeeQuote } from '../domain/fee-quote.js';

/** Signs quotes as SNIP-12 typed data with a relayer account's key. */
export abstract class QuoteSigner {
  abstract sign(quote: FeeQuote): Promise<SignedFeeQuote>;
}
