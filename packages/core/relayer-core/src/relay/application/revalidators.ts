import type { Attempt, Revalidator } from '@sotto/submission-core';

/**
 * Calls the revalidators of all kinds of attempts in turn. Each ignores attempts of other kinds.
 */
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
