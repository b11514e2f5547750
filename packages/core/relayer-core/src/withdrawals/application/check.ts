import type { DomainError } from '@sotto/kernel';
import type { AdmissionFacts, Facts } from './admission-facts.js';

/** How a check stands on the evidence so far. */
type Verdict =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly failure: DomainError }
  /** A fact that it needs is not known: it has not been read yet (null), or the read failed. */
  | { readonly status: 'skipped'; readonly because: DomainError | null };

/** One admission check. */
export interface Check {
  readonly name: string;
  /** The code of its refusal. */
  readonly code: string;
  judge(evidence: AdmissionFacts): Verdict;
}

/**
 * A check over the facts that it `needs`. A needed fact that is missing with the check's own code
 * is the check's failure: that is how the first checks, which only ask whether the request can be
 * read, get their say.
 */
export function check<Need extends keyof Facts>(
  name: string,
  code: string,
  needs: readonly Need[],
  refuse: (facts: Pick<Facts, Need>) => DomainError | null = () => null,
): Check {
  return {
    name,
    code,
    judge(evidence) {
      const facts: Partial<Record<keyof Facts, unknown>> = {};
      for (const need of needs) {
        const finding = evidence[need];
        if (finding === undefined) return { status: 'skipped', because: null };
        if (!finding.known) {
          return finding.failure.code === code
            ? { status: 'failed', failure: finding.failure }
            : { status: 'skipped', because: finding.failure };
        }
        facts[need] = finding.value;
      }
      // CAST: the loop has put the known value of every needed fact under its own name.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const failure = refuse(facts as Pick<Facts, Need>);
      return failure === null ? { status: 'passed' } : { status: 'failed', failure };
    },
  };
}
