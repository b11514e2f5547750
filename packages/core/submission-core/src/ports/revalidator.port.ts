import type { Attempt } from '../domain/rows.js';

/** Checks with the domain whether an attempt is still wanted on chain. */
export abstract class Revalidator {
  /**
   * Returns null while the call is still wanted, otherwise the code with which the attempt ends.
   * Example for a withdrawal: its nullifier is spent at ACCEPTED_ON_L2.
   * @throws DomainError if this can't be determined now
   */
  abstract rejectionOf(attempt: Attempt): Promise<string | null>;
}
