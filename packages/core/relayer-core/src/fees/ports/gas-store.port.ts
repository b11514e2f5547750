import type { GasUse, SucceededRelay } from '../domain/gas-use.js';

/**
 * Stores the gas of succeeded withdrawals and swaps: only the newest hundred per pool and
 * operation. Methods reject with a `DomainError` if the store is unavailable.
 */
export abstract class GasStore {
  /**
   * Returns the successes among the newest hundred ended attempts, newest first. `isKnown` is true
   * if the book already has the gas of the success.
   */
  abstract newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]>;
  /** Adds entries. Existing entries are not changed. */
  abstract add(uses: readonly GasUse[]): Promise<void>;
  /** Returns all entries, in any order. */
  abstract uses(): Promise<readonly GasUse[]>;
}
