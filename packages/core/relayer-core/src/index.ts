export * from './relay/index.js';
export * from './pools/index.js';
export * from './circuit-breaker/index.js';
export * from './fees/index.js';
export * from './deposits/index.js';
export * from './batches/index.js';
export * from './withdrawals/index.js';
export * from './private-actions/index.js';
export * from './swaps/index.js';
export * from './status/index.js';
export * from './treasury/index.js';
export * from './operators/index.js';
export {
  BatchCountInvalid,
  BatchOutOfBounds,
  BatchTooLarge,
  BatchTooYoung,
  BudgetExhausted,
  CallerBudgetExhausted,
  CommitmentExists,
  CommitmentInProgress,
  CommitmentInvalid,
  DeploymentInProgress,
  FeeAbovePoolMaximum,
  FeeTooLow,
  LeafIndexMismatch,
  LeafIndexNotApplicable,
  LeafIndexRequired,
  LeafUnknown,
  NoteSwapsSuspended,
  NullifierSpent,
  PartialBatchReserved,
  PoolNotSupported,
  PoolNotSwappable,
  PoolPaused,
  PoolWithoutDenomination,
  ProofInvalid,
  PublicInputOutOfRange,
  QuoteExpired,
  QuoteMismatch,
  QuoteUnknown,
  QuoteUsed,
  CostExceedsQuote,
  RecipientGasNotOffered,
  RecipientGasUnavailable,
  RecipientInvalid,
  RecipientNotSwapPool,
  RelayerMismatch,
  RootUnknown,
  SlippageOutOfRange,
  SubmissionExpired,
  SubmissionNotFound,
  SubmissionRefused,
  StricterThanInFlight,
  SwapPinned,
  SwapPinsIncomplete,
  WithdrawalInProgress,
  WithdrawalNotFound,
  TooManyQuotes,
  WithdrawalUnprofitable,
} from './errors.js';
export * from './deposit-errors.js';
