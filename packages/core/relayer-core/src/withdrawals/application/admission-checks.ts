import type { DomainError, ErrorDetails } from '@sotto/kernel';
import type { AdmissionFacts } from './admission-facts.js';
import type { Check } from './check.js';

/** Result of one check of a dry run. */
export interface CheckReport {
  readonly check: string;
  /** Code of its error, also if it passed. */
  readonly code: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Error message, or the code of the error that prevented the check. */
  readonly detail?: string;
  readonly details?: ErrorDetails;
}

/** Ordered list of admission checks. */
export class AdmissionChecks {
  constructor(private readonly checks: readonly Check[]) {}

  /**
   * Returns the error of the first check that fails, or that could not be made. Skips checks whose
   * facts have not been read yet. Null if no check rejects.
   */
  refusal(evidence: AdmissionFacts): DomainError | null {
    for (const check of this.checks) {
      const verdict = check.judge(evidence);
      if (verdict.status === 'failed') return verdict.failure;
      if (verdict.status === 'skipped' && verdict.because !== null) return verdict.because;
    }
    return null;
  }

  /** @throws the {@link refusal}, if there is one */
  refuse(evidence: AdmissionFacts): void {
    const refusal = this.refusal(evidence);
    if (refusal !== null) throw refusal;
  }

  /**
   * Throws as {@link refuse} does, or a plain error if a check was skipped: a request continues
   * only if every check has passed.
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
