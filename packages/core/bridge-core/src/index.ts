export { GetTransferStatus } from './application/get-transfer-status.js';
export { ListRoutes, type BridgeRoute } from './application/list-routes.js';
export { QuoteTransfer, type QuoteTransferInput } from './application/quote-transfer.js';
export { formatAmount, formatAmountOf, parseAmount, parseTokens } from './domain/amount.js';
export {
  BRIDGE_CHAINS,
  STRK,
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
export type { StepReport, StepStatus, TransferStatus } from './domain/transfer-status.js';
export {
  STEP_NAMES,
  type StepDetail,
  type StepName,
  type Transfer,
  type TransferStatusReport,
} from './domain/transfer.js';
export {
  AmountInvalid,
  AmountTooLow,
  BridgeQuoteUnusable,
  BridgeRecipientInvalid,
  ChainNotSupported,
  NoBridgeRoute,
  RefundAddressInvalid,
  RouteNotSupported,
  TokenNotSupported,
  TransferNotFound,
  bridgeErrors,
} from './errors.js';
export { BridgeProtocol, type QuoteAnswer } from './ports/bridge-protocol.port.js';
export { TransferStore } from './ports/transfer-store.port.js';
