import type { Attempt, Revalidator } from '@sotto/submission-core';

/**
 * Calls all revalidators in turn. Each revalidator ignores attempts of kinds that it does not
 * handle.
 */
export class Revalidators implements Revalidator {
  constructor(private readonly kinds: readonly Revalidator[]) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    for (const kind of this.kinds) {
      const rejection = await kind.rejectionOf(attempt);
      if (rejection !== null) return rejection;
    }
    return null;
  }
}
