export {
  PROGRESS,
  outcomeOf,
  progressOf,
  type AnswerAt,
  type Progress,
  type SubmissionAnswer,
} from './domain/answer.js';
export {
  confirms,
  contradicts,
  isOnL1,
  isValid,
  type ChainEvidence,
} from './domain/chain-evidence.js';
export type {
  AdoptedCall,
  LaneSlot,
  LaneFence,
  NewSubmission,
  NewerCall,
  NonceConsumer,
  RejectionCause,
  SignedTransaction,
  SubmissionCommand,
  SubmissionCommandType,
} from './domain/events.js';
export { requestsEqual, requestsSame, type Requested } from './domain/fingerprint.js';
export {
  L2_GAS_PRICE_FLOOR_FRI,
  boundsFor,
  worstCaseFri,
  type GasPrices,
  type ResourceBound,
  type ResourceBounds,
  type ResourceLimits,
} from './domain/resource-bounds.js';
export {
  LANE_ROLES,
  LIVE_STATES,
  isFree,
  isLandable,
  isLive,
  refOf,
  sameRef,
  type Attempt,
  type AttemptRef,
  type AttemptState,
  type BlockRef,
  type CallPurpose,
  type CallTarget,
  type ExecutionStatus,
  type Lane,
  type LaneRole,
  type NonceRow,
  type NonceState,
  type OpenNonce,
  type Quarantine,
  type SeenExecution,
  type Settlement,
  type Terms,
  type TransactionRow,
  type UndoneOutcome,
} from './domain/rows.js';
export type { LaneShare } from './domain/lane-shares.js';
export type { SignedEnvelope, SignedParts } from './domain/signed-envelope.js';
export type { TransactionStatus } from './domain/transaction-status.js';
export {
  isBehind,
  ownerOf,
  readsOf,
  scopeOf,
  type Caller,
  type Decision,
  type Executed,
  type ReadScope,
  type RowScope,
  type RejectionReason,
  type MachineState,
  type RowChanges,
  type WrittenRows,
} from './domain/machine-state.js';
export { decide } from './domain/decide.js';
export {
  LedgerBehindChain,
  LedgerOfAnotherChain,
  LedgerUnavailable,
  NodeBehind,
  PreviousAttemptNotFinal,
  QueueFull,
} from './errors.js';
export type { StuckNonce } from './domain/stuck.js';
export {
  AccountCheck,
  AccountHistory,
  Broadcaster,
  ChainReader,
  headOf,
  MAX_CONFIRMED,
  NONCE_REFUSED,
  NonceHistory,
  type AccountProblem,
  type AccountRange,
  type AccountState,
  type AccountTransaction,
  type ChainHead,
  type SendAnswer,
} from './ports/chain.port.js';
export {
  ChainEvents,
  noChainEvents,
  PUSHED_KINDS,
  type ChainChange,
  type PushedKind,
  type PushStatus,
} from './ports/chain-events.port.js';
export { InstanceBus, noOtherInstances, type Hint } from './ports/instance-bus.port.js';
export { CallReader } from './ports/call-reader.port.js';
export {
  Ledger,
  type ChainIdentity,
  type AttemptWithTransactions,
  type LedgerState,
  type CommandResult,
} from './ports/ledger.port.js';
export {
  LedgerArchive,
  type ArchivedNonce,
  type ArchivedTransaction,
  type KeepArchived,
} from './ports/ledger-archive.port.js';
export { StoreHealth, type StoreSize } from './ports/store-health.port.js';
export { Revalidator } from './ports/revalidator.port.js';
export {
  SubmissionRegister,
  type RegisterCursor,
  type RegisteredSubmission,
  type RegisterPage,
  type SubmissionFilter,
} from './ports/submission-register.port.js';
export { isUnsigned } from './domain/transitions/request.js';
export {
  Submissions,
  type Acceptance,
  type ExpectedCall,
  type WantedSubmission,
} from './ports/submissions.port.js';
export {
  TransactionSigner,
  type HashedCall,
  type SigningRequest,
} from './ports/transaction-signer.port.js';
export { SubmissionNotifier } from './application/submission-notifier.js';
export type { NotJudged } from './application/ledger/ledger-judge.js';
export {
  SubmissionEngine,
  type EngineDependencies,
  type EngineStatus,
} from './application/engine/submission-engine.js';
export {
  SubmissionService,
  type SubmissionServiceSettings,
} from './application/service/submission-service.js';
export {
  CHECKPOINTS,
  type AcceptedAccounts,
  type Failpoint,
  type FailpointHook,
  type LaneIdentity,
  type LedgerAcceptance,
  type SubmissionSettings,
} from './application/settings.js';
export type { LaneState, LaneStatus } from './application/lane/lane-status.js';
export {
  AuditStore,
  type AuditedNonces,
  type AuditedSubmission,
  type EndedCursor,
  type EndedPage,
} from './audit/audit-store.port.js';
export {
  AUDIT_PAUSE,
  Auditor,
  DEFAULT_AUDIT_SETTINGS,
  type AuditSettings,
  type AuditStatus,
  type AuditorDependencies,
} from './audit/auditor.js';
export {
  FINDING_CODES,
  kindOf,
  type Finding,
  type FindingCode,
  type FindingKind,
} from './audit/findings.js';
export {
  NothingToAccept,
  acceptanceNow,
  acceptanceText,
  warnOfEmptyLedger,
} from './application/ledger/empty-ledger.js';
export { knownSoon, withTimeout } from './application/bounded.js';
export {
  WrongChain,
  WrongLedger,
  startEngineOnRightChain,
  type EngineStart,
} from './application/engine/start-engine.js';
export { NodeHealthCheck } from './ports/node-health-check.port.js';
export {
  SeriesCalls,
  type SeriesCall,
  type SeriesOfCalls,
} from './application/service/series-calls.js';
export {
  RepeatedSubmissions,
  type NextSubmission,
} from './application/service/repeated-submissions.js';
export { Snapshots, type Snapshot } from './ports/snapshots.port.js';
export { usedFri, type GasUsed } from './domain/gas-used.js';
export { simulationReverted } from './domain/simulation-reverted.js';
export { SimulationReverted } from './errors.js';
export {
  CallSimulator,
  type SimulatedCall,
  type SimulationOptions,
  type SimulationResult,
  type WatchedCall,
} from './ports/call-simulator.port.js';
export { LatestBlock } from './ports/latest-block.port.js';
