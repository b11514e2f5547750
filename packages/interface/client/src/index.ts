export { createSottoClient, type SottoClient, type SottoClientOptions } from './client.js';
export type { Retry } from '@sotto/facts';
export {
  SottoRequestFailed,
  isSottoError,
  type ErrorCode,
  type NewerErrorCode,
  type SottoError,
} from './errors.js';
export type { components, operations, paths } from './openapi.js';
export { outcomeOf, type Outcome } from './outcome.js';
export type { Progress } from './progress.js';
export type { RepeatOptions } from './repeat.js';
export { waitForSubmission, type WaitOptions } from './wait-for-submission.js';
