import type { DomainError, ErrorDetails } from '@sotto/kernel';
import type { AdmissionFacts } from './admission-facts.js';
import type { Check } from './check.js';

/** How one check of a dry run stands. */
export interface CheckReport {
  readonly check: string;
  /** The code of its refusal, whether it refused or not. */
  readonly code: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or the code of what kept it from being judged. */
  readonly detail?: string;
  readonly details?: ErrorDetails;
}

/** Checks in the order in which they are reported. */
export class AdmissionChecks {
  constructor(private readonly checks: readonly Check[]) {}

  /**
   * The error of the first check that fails or can't be judged; checks whose facts have not been
   * read yet are skipped. Null when no check refuses.
   */
  refusal(evidence: AdmissionFacts): DomainError | null {
    for (const check of this.checks) {
      const verdict = check.judge(evidence);
      if (verdict.status === 'failed') return verdict.failure;
      if (verdict.status === 'skipped' && verdict.because !== null) return verdict.because;
    }
    return null;
  }

  /** @throws the {@link refusal}, if there is one. */
  refuse(evidence: AdmissionFacts): void {
    const refusal = this.refusal(evidence);
    if (refusal !== null) throw refusal;
  }

  /**
   * Throws as {@link refuse} does, and a plain error when a check was left out: nothing goes on
   * unless every check has passed.
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
