import type { Attempt } from '../domain/rows.js';

/** Asks the domain whether it still makes sense to put an attempt on chain. */
export abstract class Revalidator {
  /**
   * Null while the call is still wanted, else the code it ends with (for a withdrawal: its
   * nullifier is spent at ACCEPTED_ON_L2). Rejects with a `DomainError` when that can't be
   * determined now.
   */
  abstract refusalOf(attempt: Attempt): Promise<string | null>;
}
