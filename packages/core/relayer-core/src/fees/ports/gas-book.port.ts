import type { GasUse, SucceededRelay } from '../domain/gas-use.js';

/**
 * What succeeded withdrawals and swaps have used, by pool and operation: the newest hundred of
 * each, and no more. Rejects with a `DomainError` when the store can't answer.
 */
export abstract class GasBook {
  /**
   * Succeeded ones of the newest hundred attempts that have ended, newest first, with whether the
   * book has their gas.
   */
  abstract newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]>;
  /** One that is in the book already stays as it is. */
  abstract add(uses: readonly GasUse[]): Promise<void>;
  /** All that is kept, in no order. */
  abstract uses(): Promise<readonly GasUse[]>;
}
