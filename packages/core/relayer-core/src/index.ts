export type { CheckReport } from './withdrawals/application/admission-checks.js';
export {
  WithdrawalAdmission,
  type AdmissionPolicy,
  type AdmissionPorts,
} from './withdrawals/application/withdrawal-admission.js';
export { AdoptOutcome, type KnownBy } from './relay/application/adopt-outcome.js';
export { ControlPools } from './circuit-breaker/application/control-pools.js';
export {
  DEPLOYMENT_LIMITS,
  DeployBatch,
  type DeployBatchInput,
  type DeployedBatch,
  type DeploymentPolicy,
} from './pools/application/deploy-batch.js';
export {
  DeployDueBatches,
  type DueBatchesPolicy,
  type DueBatchesPorts,
} from './pools/application/deploy-due-batches.js';
export {
  GetServiceStatus,
  type ServiceSources,
  type ServiceStatus,
  type SignedServiceStatus,
} from './status/application/get-service-status.js';
export { EstimateFee, type FeePolicy } from './fees/application/estimate-fee.js';
export { ExclusiveLocks } from './relay/application/exclusive-locks.js';
export {
  ExecutePrivateSwap,
  type ExecutedPrivateSwap,
  type PrivateSwapInput,
  type ProposedSwap,
  type PrivateSwapPolicy,
  type PrivateSwapPorts,
  type SwapInForce,
} from './swaps/application/execute-private-swap.js';
export {
  FillSwapPins,
  type FillSwapPinsPorts,
  type FillSwapPinsSettings,
} from './swaps/application/fill-swap-pins.js';
export { OutstandingQuotes } from './fees/application/outstanding-quotes.js';
export {
  FairSemaphore,
  type SlotCounts,
  type SlotSettings,
} from './relay/application/fair-semaphore.js';
export { GetPoolCrowd } from './pools/application/get-pool-crowd.js';
export { GetPoolStatus } from './pools/application/get-pool-status.js';
export { GetSubmission } from './relay/application/get-submission.js';
export {
  InspectContracts,
  type InspectedContract,
  type InspectionPolicy,
} from './pools/application/inspect-contracts.js';
export { IssueQuote, type IssuedQuote, type QuoteTerms } from './fees/application/issue-quote.js';
export { LearnGas, type KnownGas } from './fees/application/learn-gas.js';
export {
  ListPools,
  type ListedPool,
  type ListedSwapPool,
  type PoolList,
  type PoolListPolicy,
} from './pools/application/list-pools.js';
export { LookUpSubmission } from './relay/application/look-up-submission.js';
export { SettlementWindow } from './circuit-breaker/application/settlement-window.js';
export {
  BatchRule,
  type BatchRequester,
  type PartialBatchMode,
  type PartialBatchPolicy,
} from './pools/application/batch-rule.js';
export {
  PoolCircuitBreaker,
  type GuardPolicy,
  type GuardedPool,
} from './circuit-breaker/application/pool-circuit-breaker.js';
export type { RelayGuards } from './relay/application/relay-pipeline.js';
export { QuoteRedemption } from './fees/application/quote-redemption.js';
export {
  FirstOf,
  RelayedCalls,
  type RelayedCallsPolicy,
} from './relay/application/relayed-calls.js';
export {
  SpentNotes,
  type Spending,
  type SpentNote,
  type SpentNotesPorts,
  type SpentNotesSettings,
} from './relay/application/spent-notes.js';
export type { StandingAnswer } from './relay/application/submission-end.js';
export type { SubmissionWatch } from './relay/application/submission-watch.js';
export {
  SubmitWithdrawal,
  type DryRunReport,
  type SubmitWithdrawalInput,
  type SubmittedWithdrawal,
  type WithdrawalInput,
} from './withdrawals/application/submit-withdrawal.js';
export {
  SwapRevalidator,
  type SwapRevalidatorPolicy,
  type SwapRevalidatorPorts,
} from './swaps/application/swap-revalidator.js';
export {
  QuoteSwap,
  type QuoteSwapInput,
  type QuoteSwapPolicy,
  type QuoteSwapPorts,
  type QuotedSwap,
} from './swaps/application/quote-swap.js';
export { KnownLeaves } from './swaps/application/known-leaves.js';
export { SwapOutcomes, type SwapOutcome } from './swaps/application/swap-outcomes.js';
export { WithdrawalRevalidator } from './withdrawals/application/withdrawal-revalidator.js';
export { Attributions } from './relay/application/attributions.js';
export { DepositLosses } from './deposits/application/deposit-losses.js';
export { DepositFunds } from './deposits/application/deposit-funds.js';
export { DepositOutcomes, type DepositOutcome } from './deposits/application/deposit-outcomes.js';
export { DepositRevalidator } from './deposits/application/deposit-revalidator.js';
export { NetworkRations } from './relay/application/network-rations.js';
export { PoolTraffic } from './deposits/application/pool-traffic.js';
export { Revalidators } from './relay/application/revalidators.js';
export {
  DEPOSIT_LIMITS,
  RelayDeposit,
  type RelayDepositInput,
  type RelayedDeposit,
} from './deposits/application/relay-deposit.js';
export type { Crowd, PoolCrowd } from './pools/domain/crowd.js';
export { MAX_SIGNATURE_FELTS, depositCalldata, depositKey } from './deposits/domain/deposit.js';
export {
  depositConsentTypedData,
  type DepositConsent,
  type DepositConsentTypedData,
} from './deposits/domain/deposit-consent.js';
export { leavesLeft, type DepositLimits } from './deposits/domain/deposit-traffic.js';
export { VERIFIER_PROBLEMS, guardProblem } from './pools/domain/contract-class.js';
export { type CycleCost, type CycleGas } from './fees/domain/fee.js';
export {
  LEARNT_OPERATIONS,
  type GasUse,
  type AssumedGas,
  type LearntOperation,
  type SucceededRelay,
} from './fees/domain/gas-use.js';
export type { FeeEstimate } from './fees/domain/fee-estimate.js';
export {
  feeEstimateReply,
  wholeNumber,
  type FeeEstimateReply,
} from './fees/domain/fee-estimate-reply.js';
export type { QuotedOperation } from './fees/domain/fee-quote.js';
export type { AttemptKind } from './circuit-breaker/domain/money.js';
export type { PoolPnl } from './circuit-breaker/domain/pool-pnl.js';
export type {
  GuardLimits,
  PauseCause,
  PoolVerdict,
} from './circuit-breaker/domain/pool-circuit-breaker.js';
export {
  PAUSED_FOR,
  opennessOf,
  type PoolOpenness,
} from './circuit-breaker/domain/pool-openness.js';
export type {
  NotePool,
  PoolKind,
  PoolStatus,
  ServedPool,
  SwapOutputPool,
} from './pools/domain/pool.js';
export {
  PRIVATE_SWAP_ENTRYPOINT,
  slippageOutOfRange,
  type PayoutRule,
  type SwapTerms,
} from './swaps/domain/private-swap.js';
export type { SwapPin, SwappedNote } from './swaps/domain/swap-pin.js';
export {
  digestOf,
  statusTypedData,
  type PlainJson,
  type StatusDigest,
  type StatusTypedData,
} from './status/domain/status-typed-data.js';
export { notePurpose, spentNote, withdrawalKey } from './withdrawals/domain/withdrawal.js';
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
export { SimulationReverted } from '@sotto/submission-core';
export * from './deposit-errors.js';
export {
  feeQuoteTypedData,
  type FeeQuote,
  type FeeQuoteTypedData,
  type SignedFeeQuote,
} from './fee-quote.js';
export { SubmissionLocks, type SubmissionLock } from './relay/ports/submission-locks.port.js';
export { ConsentCheck, type SignedConsent } from './deposits/ports/consent-check.port.js';
export {
  DepositReader,
  type DepositFacts,
  type DepositQuestion,
} from './deposits/ports/deposit-reader.port.js';
export { ContractClasses, type SierraVersion } from './pools/ports/contract-classes.port.js';
export { PoolHistory } from './pools/ports/pool-history.port.js';
export { GasBook } from './fees/ports/gas-book.port.js';
export { GasReceipts } from './fees/ports/gas-receipts.port.js';
export {
  SettlementHistory,
  type CallOutcome,
  type LiveEntry,
  type MoneyEntry,
  type NoteRevert,
} from './circuit-breaker/ports/settlement-history.port.js';
export {
  PoolDeposits,
  type DeployedLeaves,
  type PoolDeposit,
} from './deposits/ports/pool-deposits.port.js';
export { PoolControls, type PoolControl } from './circuit-breaker/ports/pool-controls.port.js';
export {
  PoolReader,
  type WithdrawalFacts,
  type WithdrawalPlace,
} from './pools/ports/pool-reader.port.js';
export { ProofVerifier } from './withdrawals/ports/proof-verifier.port.js';
export { QuoteStore, type ExpiredBefore, type Redemption } from './fees/ports/quote-store.port.js';
export { SpentNullifiers } from './relay/ports/spent-nullifiers.port.js';
export { TypedDataSigner, type TypedDataSignature } from './relay/ports/typed-data-signer.port.js';
export type { TypedData } from './relay/domain/typed-data.js';
export { SwapLeaves, type SwapLeaf, type SwapPoolFigures } from './swaps/ports/swap-leaves.port.js';
export {
  TrafficBook,
  type EndedDeposit,
  type LiveCall,
} from './deposits/ports/traffic-book.port.js';
export { SwapDeposits, type SwapDeposit } from './swaps/ports/swap-deposits.port.js';
export { SwapPins, type Pinning } from './swaps/ports/swap-pins.port.js';
export { SwapRecords, type KeptSwapCall } from './swaps/ports/swap-records.port.js';
export { TopUpBook, type PaidTopUp } from './treasury/ports/top-up-book.port.js';
export type { FundingLevels } from './treasury/domain/top-up.js';
export {
  TopUpLanes,
  fundedLanes,
  type FundedLane,
  type FundedRole,
  type TopUpPolicy,
  type TopUpPorts,
} from './treasury/application/top-up-lanes.js';
export { TopUpCalls, type TopUpCallsPolicy } from './treasury/application/top-up-calls.js';
export {
  ConvertFees,
  FEE_SWAP_LIMITS,
  feesSubject,
  type ConvertedToken,
  type FeeConversionPolicy,
  type FeeConversionPorts,
} from './treasury/application/convert-fees.js';
export {
  ConversionCalls,
  type ConversionCallsPolicy,
} from './treasury/application/conversion-calls.js';
export { KeepTreasury } from './treasury/application/keep-treasury.js';
export { Build } from './status/ports/build.port.js';
export { NodeDirectory, type NodeStatus } from './status/ports/node-directory.port.js';
export {
  OperatorLog,
  type NewOperatorEntry,
  type OperatorEntry,
} from './operators/ports/operator-log.port.js';
export {
  ListSubmissions,
  type ListSubmissionsFilter,
  type OperatedPage,
} from './operators/application/list-submissions.js';
export {
  CANCELLED_BY_OPERATOR,
  OperateSubmission,
  SubmissionEnded,
  SubmissionSigned,
  type InspectedSubmission,
} from './operators/application/operate-submission.js';
export type { OperatedSubmission } from './operators/domain/operated-submission.js';
export { RecordAction, type LogPage } from './operators/application/record-action.js';
export { GetOperatorSeries } from './operators/application/get-operator-series.js';
export type { OperatorSeries, SeriesSpan } from './operators/domain/operator-series.js';
export {
  FollowOperations,
  TooManyStreams,
  type OperatorEvent,
} from './operators/application/follow-operations.js';
export { ControlLanes, LaneNotFound } from './status/application/control-lanes.js';
export {
  GetOperatorStatus,
  type OperatedLane,
  type Operations,
  type OperationSources,
} from './status/application/get-operator-status.js';
export {
  Readiness,
  type CheckResult,
  type ReadinessReport,
} from './status/application/readiness.js';
export { GetVerdict } from './status/application/get-verdict.js';
export { clockPart, headPart, nodePart } from './status/application/head-parts.js';
export { HeadWatch, type HeadStatus, type OtherClocks } from './status/application/head-watch.js';
export {
  signerRefusalsParts,
  type SignerRefusal,
} from './status/application/signer-refusals-parts.js';
export { lanesPart, type LanesSources } from './status/application/lanes-part.js';
export {
  breakersPart,
  contractsPart,
  guardPart,
  ledgerPart,
  poolVerifiersPart,
  poolViewsPart,
  nodesPart,
  partnersPart,
  priceSourcesPart,
  pricesPart,
  queuePart,
  storePart,
  storeReadsPart,
  signerPart,
  verifierPart,
  workPart,
} from './status/application/verdict-parts.js';
export type {
  Obstacle,
  Reason,
  Verdict,
  VerdictOnPool,
  VerdictPart,
} from './status/domain/verdict.js';
export { guardedFacts, type GuardedFacts } from './relay/application/guarded-facts.js';
export {
  EarlyChecks,
  type EarlyCheckPolicy,
  type PinnedGuard,
} from './circuit-breaker/application/early-checks.js';
