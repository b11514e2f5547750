import type { Attempt, Revalidator } from '@sotto/submission-core';

/** Asks those who know the kinds of attempts in turn: each leaves the others' alone. */
export class Revalidators implements Revalidator {
  constructor(private readonly kinds: readonly Revalidator[]) {}

  async refusalOf(attempt: Attempt): Promise<string | null> {
    for (const kind of this.kinds) {
      const refusal = await kind.refusalOf(attempt);
      if (refusal !== null) return refusal;
    }
    return null;
  }
}
