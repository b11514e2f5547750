import type { Felt } from '@sotto/kernel';

/** The operator's target leverage of a vault. */
export interface LeverageTarget {
  readonly vault: Felt;
  /**
   * Target leverage: collateral divided by equity, in hundredths of a percent. 10,000 is 1× (no
   * debt), 50,000 is 5×.
   */
  readonly targetBps: number;
  /** Time at which the target was set, by the store's clock, in Unix milliseconds. */
  readonly setAtMs: number;
}

/**
 * Durable leverage targets of the operator, shared by all instances. The task does not change a
 * vault without a target. Methods reject with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class LeverageTargets {
  /** Returns the target of a vault; null if the vault has no target. */
  abstract of(vault: Felt): Promise<LeverageTarget | null>;
  /** Stores the target of a vault. Null removes the target. */
  abstract set(vault: Felt, targetBps: number | null): Promise<void>;
}
