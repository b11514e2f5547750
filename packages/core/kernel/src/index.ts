export { BackgroundTask, startBackgroundTasks } from './background-tasks.js';
export {
  Cached,
  FAILURE_FRESH_MS,
  type CachedRead,
  type CachedSettings,
  type CachedVersion,
} from './cached.js';
export { UNNAMED_CALLER, type Caller } from './caller.js';
export { Clock, systemClock } from './clock.js';
export {
  DomainError,
  Overloaded,
  causeCodeOf,
  isSharedFailure,
  domainError,
  findCause,
  type DomainErrorClass,
  type DomainErrorOptions,
  type ErrorDetails,
} from './errors.js';
export { FIELD_PRIME, InvalidFelt, feltToBigInt, toFelt, type Felt } from './felt.js';
export { Felts } from './felts.js';
export { KeyedMutex } from './keyed-mutex.js';
export { LastKnown, type Known, type NotAnswered } from './last-known.js';
export { Logger, silentLogger, type LogFields } from './logger.js';
export { unspendableReason, type UnspendableReason } from './recipient.js';
export { publicRevertReason } from './revert-reason.js';
export { runIsolated } from './run-isolated.js';
export { SingleFlight } from './single-flight.js';
export {
  SHARED_CALLER,
  Shares,
  mostOf,
  mostOfNetwork,
  quarterOf,
  widestOf,
  type ShareLimits,
} from './shares.js';
export { TimedShares, UNLIMITED_BUDGET, UpstreamBudget } from './upstream-budget.js';
export { u256FromHalves, u256ToHalves } from './u256.js';
export { unguessableId } from './unguessable-id.js';
export { divideUp } from './divide-up.js';
export { ok, settle, tryCatch, unwrap, type Result } from './result.js';
