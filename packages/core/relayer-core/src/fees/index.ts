export { EstimateFee, type FeePolicy } from './application/estimate-fee.js';
export { IssueQuote, type IssuedQuote, type QuoteTerms } from './application/issue-quote.js';
export { LearnGas, type KnownGas } from './application/learn-gas.js';
export { OutstandingQuotes } from './application/outstanding-quotes.js';
export { QuoteRedemption } from './application/quote-redemption.js';
export {
  feeEstimateReply,
  wholeNumber,
  type FeeEstimateReply,
} from './domain/fee-estimate-reply.js';
export type { FeeEstimate } from './domain/fee-estimate.js';
export type { QuotedOperation } from './domain/fee-quote.js';
export {
  feeQuoteTypedData,
  type FeeQuote,
  type FeeQuoteTypedData,
  type SignedFeeQuote,
} from './domain/fee-quote.js';
export type { RecipientGasOffer } from './domain/recipient-gas-offer.js';
export { type CycleCost, type CycleGas } from './domain/fee.js';
export {
  LEARNT_OPERATIONS,
  type GasUse,
  type AssumedGas,
  type LearntOperation,
  type SucceededRelay,
} from './domain/gas-use.js';
export { GasStore } from './ports/gas-store.port.js';
export { GasReceipts } from './ports/gas-receipts.port.js';
export { QuoteStore, type ExpiredBefore, type Redemption } from './ports/quote-store.port.js';
