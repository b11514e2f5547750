import type { Attempt, Readmission } from '@sotto/submission-core';

/** Asks those who know the kinds of attempts in turn: each leaves the others' alone. */
export class Readmissions implements Readmission {
  constructor(private readonly kinds: readonly Readmission[]) {}

  async refusalOf(attempt: Attempt): Promise<string | null> {
    for (const kind of this.kinds) {
      const refusal = await kind.refusalOf(attempt);
      if (refusal !== null) return refusal;
    }
    return null;
  }
}
