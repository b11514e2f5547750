/** What signers and wallets need to know of a quote, without the rest of the package. */
export type { FeeQuote, SignedFeeQuote } from './fees/domain/fee-quote.js';
export { feeQuoteTypedData, type FeeQuoteTypedData } from './fees/domain/fee-quote-typed-data.js';
