import type { DomainError, Result } from '@sotto/kernel';

/** Facts read so far. A fact that has not been read is absent. */
export type Known<Facts> = { readonly [Name in keyof Facts]?: Result<Facts[Name]> };

/** Result of a check, given the facts read so far. */
type Verdict =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly failure: DomainError }
  /** A needed fact is unknown: it has not been read yet (null), or the read failed. */
  | { readonly status: 'skipped'; readonly because: DomainError | null };

/** Admission check of a request. `Facts` are all facts on which checks of this kind may depend. */
export interface Check<Facts> {
  readonly name: string;
  /** Code of the error with which the check rejects a request. */
  readonly code: string;
  judge(evidence: Known<Facts>): Verdict;
}

/**
 * Returns a function that creates checks of one kind of facts.
 *
 * A check depends on the facts in `needs`. If a needed fact could not be read and the
 * error has this check's own code, the check fails. This applies to the first checks, which only
 * require that the request can be parsed.
 */
export const checksOf =
  <Facts>() =>
  <Need extends keyof Facts>(
    name: string,
    code: string,
    needs: readonly Need[],
    refuse: (facts: Pick<Facts, Need>) => DomainError | null = () => null,
  ): Check<Facts> => ({
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
  });
