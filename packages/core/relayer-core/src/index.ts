export type { CheckReport } from './application/admission/admission-checks.js';
export {
  WithdrawalAdmission,
  type AdmissionPolicy,
  type AdmissionPorts,
} from './application/admission/withdrawal-admission.js';
export { AdoptOutcome, type KnownBy } from './application/adopt-outcome.js';
export { ControlPools } from './application/control-pools.js';
export {
  DEPLOYMENT_LIMITS,
  DeployBatch,
  type DeployBatchInput,
  type DeployedBatch,
  type DeploymentPolicy,
} from './application/deploy-batch.js';
export {
  GetServiceStatus,
  type ServiceSources,
  type ServiceStatus,
  type SignedServiceStatus,
} from './application/get-service-status.js';
export { EstimateFee, type FeePolicy } from './application/estimate-fee.js';
export { ExclusiveLocks } from './application/exclusive-locks.js';
export {
  ExecutePrivateSwap,
  type ExecutedPrivateSwap,
  type PrivateSwapInput,
  type ProposedSwap,
  type PrivateSwapPolicy,
  type PrivateSwapPorts,
  type SwapInForce,
} from './application/execute-private-swap.js';
export {
  FillSwapPins,
  type FillSwapPinsPorts,
  type FillSwapPinsSettings,
} from './application/fill-swap-pins.js';
export {
  SHARED_CALLER,
  Shares,
  mostOf,
  mostOfNetwork,
  type ShareLimits,
} from './application/shares.js';
export { OutstandingQuotes } from './application/outstanding-quotes.js';
export { FairSemaphore, type SlotCounts, type SlotSettings } from './application/fair-semaphore.js';
export { FairValues } from './application/fair-values.js';
export { GetPoolCrowd } from './application/get-pool-crowd.js';
export { GetPoolStatus } from './application/get-pool-status.js';
export { GetSubmission } from './application/get-submission.js';
export {
  InspectContracts,
  type InspectedContract,
  type InspectionPolicy,
} from './application/inspect-contracts.js';
export { IssueQuote, type IssuedQuote, type QuoteTerms } from './application/issue-quote.js';
export { LearnGas, type KnownGas } from './application/learn-gas.js';
export {
  ListPools,
  type ListedPool,
  type ListedSwapPool,
  type PoolList,
  type PoolListPolicy,
} from './application/list-pools.js';
export { LookUpSubmission } from './application/look-up-submission.js';
export { MarketPrices, type MarketPricesSettings } from './application/market-prices.js';
export { SettlementWindow } from './application/settlement-window.js';
export {
  PartialBatches,
  type PartialBatchMode,
  type PartialBatchPolicy,
} from './application/partial-batches.js';
export {
  PoolCircuitBreaker,
  type GuardPolicy,
  type GuardedPool,
} from './application/pool-circuit-breaker.js';
export type { RelayGuards } from './application/relay-pipeline.js';
export { QuoteRedemption } from './application/quote-redemption.js';
export { FirstOf, RelayedCalls, type RelayedCallsPolicy } from './application/relayed-calls.js';
export { RetriedSubmissions } from './application/retried-submissions.js';
export { RetrySwaps, type RetrySwapsPorts } from './application/retry-swaps.js';
export {
  SpentNotes,
  type Spending,
  type SpentNote,
  type SpentNotesPorts,
  type SpentNotesSettings,
} from './application/spent-notes.js';
export type { StandingAnswer } from './application/submission-end.js';
export {
  SubmitWithdrawal,
  WITHDRAWAL_LIMITS,
  type DryRunReport,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type WithdrawalInput,
} from './application/submit-withdrawal.js';
export { SwapTries, type SwapTriesPorts } from './application/swap-tries.js';
export { SwapOutcomes, type SwapOutcome } from './application/swap-outcomes.js';
export { WithdrawalRevalidator } from './application/withdrawal-revalidator.js';
export { DepositFunds } from './application/deposit-funds.js';
export { DepositOutcomes, type DepositOutcome } from './application/deposit-outcomes.js';
export { DepositRevalidator } from './application/deposit-revalidator.js';
export { NetworkRations } from './application/network-rations.js';
export { PoolTraffic } from './application/pool-traffic.js';
export { Revalidators } from './application/revalidators.js';
export {
  DEPOSIT_LIMITS,
  RelayDeposit,
  type RelayDepositInput,
  type RelayedDeposit,
} from './application/relay-deposit.js';
export { UNNAMED_CALLER, type Caller } from './domain/caller.js';
export type { Crowd, PoolCrowd } from './domain/crowd.js';
export { MAX_SIGNATURE_FELTS, depositCalldata, depositKey } from './domain/deposit.js';
export {
  depositConsentTypedData,
  type DepositConsent,
  type DepositConsentTypedData,
} from './domain/deposit-consent.js';
export { leavesLeft, type DepositLimits } from './domain/deposit-traffic.js';
export { VERIFIER_PROBLEMS } from './domain/contract-class.js';
export {
  CYCLE_GAS,
  type CycleCost,
  type CycleGas,
  type FeeTokenPrices,
  type GasUsed,
} from './domain/fee.js';
export {
  LEARNT_OPERATIONS,
  type GasUse,
  type LearntOperation,
  type SucceededRelay,
} from './domain/gas-use.js';
export type { FeeEstimate } from './domain/fee-estimate.js';
export { feeEstimateReply, type FeeEstimateReply } from './domain/fee-estimate-reply.js';
export type { QuotedOperation } from './domain/fee-quote.js';
export type { PriceLimits } from './domain/market-price.js';
export { subjectOf, type AttemptKind } from './domain/money.js';
export type { PoolPnl } from './domain/pool-pnl.js';
export type { GuardLimits, PauseCause, PoolVerdict } from './domain/pool-circuit-breaker.js';
export { PAUSED_FOR, opennessOf, type PoolOpenness } from './domain/pool-openness.js';
export {
  FULL_BATCH_SIZES,
  type NotePool,
  type PoolKind,
  type PoolToken,
  type ServedPool,
  type SwapOutputPool,
} from './domain/pool.js';
export type { PoolStatus } from './domain/pool-status.js';
export {
  PRIVATE_SWAP_CYCLE_GAS,
  PRIVATE_SWAP_ENTRYPOINT,
  slippageOutOfRange,
  type PayoutRule,
  type SwapTerms,
} from './domain/private-swap.js';
export { DEFAULT_SLIPPAGE_PPM, MAX_SLIPPAGE_PPM, MIN_SLIPPAGE_PPM } from './domain/swap.js';
export type { SwapPin, SwappedNote } from './domain/swap-pin.js';
export {
  digestOf,
  statusTypedData,
  type PlainJson,
  type StatusDigest,
  type StatusTypedData,
} from './domain/status-typed-data.js';
export { parseWithdrawalKey, withdrawalKey } from './domain/withdrawal.js';
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
  MinimumNotMet,
  NoQuotesAvailable,
  NoteSwapsSuspended,
  NullifierSpent,
  OutputTokenNotSupported,
  Overloaded,
  PartialBatchReserved,
  PoolNotSupported,
  PoolNotSwappable,
  PoolPaused,
  PoolWithoutDenomination,
  PriceImpactTooHigh,
  PriceUnavailable,
  ProofInvalid,
  PublicInputOutOfRange,
  QuoteExpired,
  QuoteExpiredAtAggregator,
  QuoteMismatch,
  QuoteUnknown,
  QuoteUsed,
  RecipientInvalid,
  RecipientNotSwapPool,
  RelayerMismatch,
  RootUnknown,
  SimulationReverted,
  SlippageOutOfRange,
  SlippageTooTight,
  SubmissionExpired,
  SubmissionNotFound,
  SubmissionRefused,
  SwapBelowFloor,
  SwapBuildRejected,
  SwapPinned,
  SwapPinsIncomplete,
  SwapRouteTooLong,
  WithdrawalInProgress,
  WithdrawalNotFound,
  TooManyQuotes,
  WithdrawalUnprofitable,
  relayerFaults,
} from './errors.js';
export { depositFaults } from './deposit-errors.js';
export {
  feeQuoteTypedData,
  type FeeQuote,
  type FeeQuoteTypedData,
  type SignedFeeQuote,
} from './fee-quote.js';
export { BlockClock } from './ports/block-clock.port.js';
export {
  CallSimulator,
  type SimulatedCall,
  type SimulationResult,
} from './ports/call-simulator.port.js';
export { SubmissionLocks, type SubmissionLock } from './ports/submission-locks.port.js';
export { ConsentCheck, type SignedConsent } from './ports/consent-check.port.js';
export {
  DepositReader,
  type DepositFacts,
  type DepositQuestion,
} from './ports/deposit-reader.port.js';
export { ContractClasses, type SierraVersion } from './ports/contract-classes.port.js';
export { PoolHistory } from './ports/pool-history.port.js';
export { GasBook } from './ports/gas-book.port.js';
export { GasPriceSource } from './ports/gas-price-source.port.js';
export { GasReceipts } from './ports/gas-receipts.port.js';
export {
  SettlementHistory,
  type CallOutcome,
  type LiveEntry,
  type MoneyEntry,
} from './ports/settlement-history.port.js';
export { PoolDeposits, type DeployedLeaves, type PoolDeposit } from './ports/pool-deposits.port.js';
export { PoolControls, type PoolControl } from './ports/pool-controls.port.js';
export {
  PoolReader,
  type WithdrawalFacts,
  type WithdrawalPlace,
} from './ports/pool-reader.port.js';
export { PoolStatusReader } from './ports/pool-status-reader.port.js';
export { PriceSource, type PriceObservation, type PricedAsset } from './ports/price-source.port.js';
export { ProofVerifier } from './ports/proof-verifier.port.js';
export { QuoteStore, type ExpiredBefore, type Redemption } from './ports/quote-store.port.js';
export { QuoteSigner } from './ports/quote-signer.port.js';
export { SpentNullifiers } from './ports/spent-nullifiers.port.js';
export { StatusSigner, type StatusSignature } from './ports/status-signer.port.js';
export {
  SwapAggregator,
  type BuiltCall,
  type BuiltSwap,
  type SwapBuildRequest,
  type SwapQuote,
  type SwapQuoteRequest,
} from './ports/swap-aggregator.port.js';
export { SwapLeaves, type SwapLeaf, type SwapPoolFigures } from './ports/swap-leaves.port.js';
export { TrafficBook, type EndedDeposit, type LiveCall } from './ports/traffic-book.port.js';
export { SwapDeposits, type SwapDeposit } from './ports/swap-deposits.port.js';
export { SwapPins, type Pinning } from './ports/swap-pins.port.js';
export { SwapRecords, type KeptSwapCall } from './ports/swap-records.port.js';
export { SwapVerdicts, type SwapVerdict } from './ports/swap-verdicts.port.js';
