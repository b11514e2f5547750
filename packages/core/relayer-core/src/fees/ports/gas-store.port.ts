import type { GasUse, SucceededRelay } from '../domain/gas-use.js';

/**
 * Stores the gas of succeeded withdrawals and swaps: only the newest hundred per pool and
 * operation. Methods reject with a `DomainError` if the store is unavailable.
 */
export abstract class GasStore {
  /**
   * Returns those of the newest hundred ended attempts that succeeded, newest first. `isKnown` is
   * true if the gas of the attempt is already stored.
   */
  abstract newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]>;
  /** Adds entries. An entry that is already stored is not changed. */
  abstract add(uses: readonly GasUse[]): Promise<void>;
  /** Returns all entries, in any order. */
  abstract uses(): Promise<readonly GasUse[]>;
}
