import type { Felt } from '@sotto/kernel';

/** The operator's target leverage of a vault. */
export interface LeverageTarget {
  readonly vault: Felt;
  /** Collateral over equity in hundredths of a percent: 10,000 is 1× (no debt), 50,000 is 5×. */
  readonly targetBps: number;
  /** Time by the store's clock, in Unix milliseconds. */
  readonly setAtMs: number;
}

/**
 * The operator's targets, durable and shared by all instances. A vault without one is left
 * unchanged. Rejects with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class LeverageTargets {
  /** Returns null for a vault without a target. */
  abstract of(vault: Felt): Promise<LeverageTarget | null>;
  /** Stores the target; null removes it. */
  abstract set(vault: Felt, targetBps: number | null): Promise<void>;
}
