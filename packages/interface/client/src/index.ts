export { createSottoClient, type SottoClient, type SottoClientOptions } from './client.js';
export type { ErrorCode, Retry } from '@sotto/facts';
export { SottoRequestFailed, type SottoError } from './errors.js';
export type { components, operations, paths } from './openapi.js';
export { waitForSubmission, type WaitOptions } from './wait-for-submission.js';
