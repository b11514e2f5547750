import type { Attempt } from '../domain/rows.js';

/** Queries the domain whether an attempt is still wanted on chain. */
export abstract class Revalidator {
  /**
   * Returns null while the call is still wanted, else the code it ends with (for a withdrawal: its
   * nullifier is spent at ACCEPTED_ON_L2).
   * @throws DomainError if that can't be determined now
   */
  abstract refusalOf(attempt: Attempt): Promise<string | null>;
}
