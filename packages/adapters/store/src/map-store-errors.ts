import { LedgerUnavailable } from '@sotto/submission-core';

/** Asks the store: any error of it, constraint violations included, becomes `LedgerUnavailable`. */
export async function mapStoreErrors<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (cause) {
    if (cause instanceof LedgerUnavailable) throw cause;
    throw new LedgerUnavailable({ message: 'the store did not answer', cause });
  }
}
