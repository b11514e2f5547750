/** What signers and wallets need to know of a quote, without the rest of the package. */
export {
  feeQuoteTypedData,
  type FeeQuote,
  type FeeQuoteTypedData,
  type SignedFeeQuote,
} from './fees/domain/fee-quote.js';
