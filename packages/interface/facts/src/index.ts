export {
  ERRORS,
  codesOf,
  isErrorCode,
  retryOf,
  type DetailsOf,
  type ErrorCode,
} from './errors/catalogue.js';
export { CODES_OF } from './errors/codes-of-routes.js';
export {
  ERROR_KINDS,
  RETRIES,
  RETRY_WORDS,
  STATUS_BY_KIND,
  type DetailKind,
  type ErrorEntry,
  type ErrorKind,
  type Retry,
} from './errors/entry.js';
export * from './errors/ports.js';
export * from './errors/relayer.js';
export * from './errors/requests.js';
export * from './errors/services.js';
export { NODE_DISAGREEMENTS, type NodeDisagreement } from './node-disagreements.js';
export { OPERATOR_ACTIONS, type OperatorAction } from './operator.js';
export {
  ALERTS,
  ALERT_NAMES,
  ALERT_REASONS,
  MOST_SHOWN_SUBJECTS,
  SKIP_REASONS,
  SKIP_REASON_NAMES,
  TASKS,
  TASK_NAMES,
  type Alert,
  type AlertReason,
  type SkipReason,
  type TaskName,
} from './keeper.js';
export { REASONS, REASON_CODES, type ReasonCode } from './reasons.js';
