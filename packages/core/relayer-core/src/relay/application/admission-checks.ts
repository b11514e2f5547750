import type { DomainError } from '@sotto/kernel';
import type { CheckReport } from '../domain/check-report.js';
import type { Check, Known } from './check.js';

/** Admission checks in their order. */
export class AdmissionChecks<Facts> {
  constructor(private readonly checks: readonly Check<Facts>[]) {}

  /**
   * Returns the error of the first check that fails or whose facts could not be read. Skips checks
   * whose facts have not been read yet. Null if no check rejects the request.
   */
  rejection(evidence: Known<Facts>): DomainError | null {
    for (const check of this.checks) {
      const verdict = check.judge(evidence);
      if (verdict.status === 'failed') return verdict.failure;
      if (verdict.status === 'skipped' && verdict.because !== null) return verdict.because;
    }
    return null;
  }

  /** @throws the error that {@link rejection} returns, if it returns one */
  refuse(evidence: Known<Facts>): void {
    const rejection = this.rejection(evidence);
    if (rejection !== null) throw rejection;
  }

  /**
   * Throws like {@link refuse}. Also throws a plain error if a check was skipped, because a request
   * may continue only after every check has passed.
   */
  admit(evidence: Known<Facts>): void {
    this.refuse(evidence);
    const left = this.checks.filter((check) => check.judge(evidence).status !== 'passed');
    if (left.length > 0)
      throw new Error(
        `checks left out of an admission: ${left.map(({ name }) => name).join(', ')}`,
      );
  }

  report(evidence: Known<Facts>): readonly CheckReport[] {
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
