/**
 * Types and typed data of quotes, as a separate entry point for signers and wallets that need no
 * other part of the package.
 */
export {
  feeQuoteTypedData,
  type FeeQuote,
  type FeeQuoteTypedData,
  type SignedFeeQuote,
} from './fees/domain/fee-quote.js';
