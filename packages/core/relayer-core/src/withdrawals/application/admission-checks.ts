import type { DomainError, ErrorDetails } from '@sotto/kernel';
import type { AdmissionFacts } from './admission-facts.js';
import type { Check } from './check.js';

/** Result of one admission check in a dry run. */
export interface CheckReport {
  readonly check: string;
  /** Error code with which this check rejects requests. Present even if the check passed. */
  readonly code: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Error message of a failed check, or the code of the error that prevented the check. */
  readonly detail?: string;
  readonly details?: ErrorDetails;
  /** Seconds after which the request may be repeated, if the failed check knows them. */
  readonly retryAfterSeconds?: number;
}

/** Admission checks in their order. */
export class AdmissionChecks {
  constructor(private readonly checks: readonly Check[]) {}

  /**
   * Returns the error of the first check that fails or whose facts could not be read. Skips checks
   * whose facts have not been read yet. Null if no check rejects the request.
   */
  rejection(evidence: AdmissionFacts): DomainError | null {
    for (const check of this.checks) {
      const verdict = check.judge(evidence);
      if (verdict.status === 'failed') return verdict.failure;
      if (verdict.status === 'skipped' && verdict.because !== null) return verdict.because;
    }
    return null;
  }

  /** @throws the error that {@link rejection} returns, if it returns one */
  refuse(evidence: AdmissionFacts): void {
    const rejection = this.rejection(evidence);
    if (rejection !== null) throw rejection;
  }

  /**
   * Throws like {@link refuse}. Also throws a plain error if a check was skipped, because a request
   * may continue only after every check has passed.
   */
  admit(evidence: AdmissionFacts): void {
    this.refuse(evidence);
    const left = this.checks.filter((check) => check.judge(evidence).status !== 'passed');
    if (left.length > 0)
      throw new Error(
        `checks left out of an admission: ${left.map(({ name }) => name).join(', ')}`,
      );
  }

  report(evidence: AdmissionFacts): readonly CheckReport[] {
    return this.checks.map((check) => {
      const verdict = check.judge(evidence);
      const { name, code } = check;
      switch (verdict.status) {
        case 'passed':
          return { check: name, code, status: 'passed' };
        case 'failed': {
          const { failure } = verdict;
          return {
            check: name,
            code: failure.code,
            status: 'failed',
            detail: failure.message,
            details: failure.details,
            ...(failure.retryAfterSeconds === undefined
              ? {}
              : { retryAfterSeconds: failure.retryAfterSeconds }),
          };
        }
        case 'skipped':
          return {
            check: name,
            code,
            status: 'skipped',
            ...(verdict.because === null ? {} : { detail: verdict.because.code }),
          };
      }
    });
  }
}
