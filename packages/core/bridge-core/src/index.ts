export { GetTransferStatus } from './application/get-transfer-status.js';
export { ListRoutes, type BridgeRoute } from './application/list-routes.js';
export {
  QuoteTransfer,
  type QuoteTransferInput,
  type QuoteTransferOptions,
  type MarketValue,
} from './application/quote-transfer.js';
export { canonicalAddress } from './domain/address.js';
export { formatAmount, formatAmountOf, parseAmount, parseTokens } from './domain/amount.js';
export {
  BRIDGE_CHAINS,
  STRK,
  listedAsset,
  type BridgeAsset,
  type BridgeChain,
  type BridgeToken,
  type ChainFamily,
  type Direction,
} from './domain/catalogue.js';
export type {
  DepositInstructions,
  RouteLeg,
  TransferFees,
  TransferQuote,
  TransferRequest,
} from './domain/transfer-quote.js';
export { type TransferAmounts } from './domain/judge-report.js';
export type { QuotedTerms } from './domain/quoted-terms.js';
export type { ReportedAmount, StepDetail, TransferStatusReport } from './domain/status-report.js';
export { STEP_NAMES, type StepName } from './domain/step-names.js';
export {
  earlier,
  type StepReport,
  type StepStatus,
  type TransferReason,
  type TransferStatus,
} from './domain/transfer-status.js';
export { type Transfer } from './domain/transfer.js';
export {
  AmountInvalid,
  AmountTooLow,
  BridgeQuoteUnusable,
  BridgeRecipientInvalid,
  BridgeRecipientUnspendable,
  ChainNotSupported,
  NoBridgeRoute,
  RefundAddressInvalid,
  RouteNotSupported,
  TokenNotSupported,
  TransferNotFound,
} from './errors.js';
export {
  BridgeProtocol,
  type QuoteAnswer,
  type QuoteRejection,
} from './ports/bridge-protocol.port.js';
export { TransferStore } from './ports/transfer-store.port.js';
