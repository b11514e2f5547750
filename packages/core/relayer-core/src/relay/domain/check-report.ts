import type { ErrorDetails } from '@sotto/kernel';

/** Result of one check in a dry run. */
export interface CheckReport {
  readonly check: string;
  /** Error code of the check, also if the check passed. */
  readonly code: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Error message of a failed check, or the code of the error that prevented the check. */
  readonly detail?: string;
  readonly details?: ErrorDetails;
  /** Seconds after which the request may be repeated, if the failed check knows them. */
  readonly retryAfterSeconds?: number;
}

/** Results of all checks of a request that was not submitted. */
export interface ChecksReport {
  /** True if every check passed. The same request would be accepted if it were sent now. */
  readonly admissible: boolean;
  /** All checks, in order. */
  readonly checks: readonly CheckReport[];
}
