export { answerOf, type AnswerAt, type SubmissionAnswer } from './domain/answer.js';
export type {
  LaneClaim,
  NewSubmission,
  NonceTaker,
  RefusalCause,
  SignedTransaction,
  SubmissionEvent,
  SubmissionEventType,
} from './domain/events.js';
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
  LIVE_STATES,
  isLive,
  type Attempt,
  type AttemptRef,
  type AttemptState,
  type CallTarget,
  type ExecutionStatus,
  type Lane,
  type LaneRole,
  type NonceRow,
  type NonceState,
  type OpenNonce,
  type SeenExecution,
  type Terms,
  type TransactionRow,
} from './domain/rows.js';
export type { TransactionSighting } from './domain/sighting.js';
export { scopeOf, type Decision, type Scope, type StoodBack, type View, type Writes } from './domain/view.js';
export { decide } from './domain/decide.js';
export { LedgerUnavailable, QueueFull } from './errors.js';
export type { StuckNonce } from './domain/stuck.js';
export { Broadcaster, ChainReader, NonceHistory, type AccountState, type ChainHead, type SendAnswer } from './ports/chain.port.js';
export { InstanceHints, noOtherInstances, type Hint } from './ports/instance-hints.port.js';
export { Ledger, type Recorded } from './ports/ledger.port.js';
export { Readmission } from './ports/readmission.port.js';
export { Submissions, type Acceptance } from './ports/submissions.port.js';
export { TransactionSigner, type HashedCall, type SigningRequest } from './ports/transaction-signer.port.js';
export { Changes } from './application/changes.js';
export { SubmissionEngine, type EngineDependencies, type EngineStatus } from './application/submission-engine.js';
export { SubmissionService, type SubmissionServiceSettings } from './application/submission-service.js';
export { CHECKPOINTS, type Checkpoint, type CheckpointHook, type SubmissionSettings } from './application/settings.js';
export type { LaneState } from './application/lane-worker.js';
