import type { GasUse, SucceededRelay } from '../domain/gas-use.js';

/**
 * Gas of succeeded withdrawals and swaps: only the newest hundred per pool and operation. Rejects
 * with a `DomainError` if the store is unavailable.
 */
export abstract class GasBook {
  /**
   * Returns the successes among the newest hundred ended attempts, newest first. `isKnown` is true
   * if the book has their gas.
   */
  abstract newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]>;
  /** Adds entries. Existing ones are not changed. */
  abstract add(uses: readonly GasUse[]): Promise<void>;
  /** Returns all entries, in any order. */
  abstract uses(): Promise<readonly GasUse[]>;
}
