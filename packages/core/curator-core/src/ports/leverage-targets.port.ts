import type { Felt } from '@sotto/kernel';

/** What the operator wants of a vault. */
export interface LeverageTarget {
  readonly vault: Felt;
  /** Collateral over equity in hundredths of a percent: 10,000 is 1× (no debt), 50,000 is 5×. */
  readonly targetBps: number;
  /** By the store's clock. */
  readonly setAtMs: number;
}

/**
 * The operator's targets, durable and shared by all instances. A vault without one is left alone.
 * Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class LeverageTargets {
  /** Null for a vault without a target. */
  abstract of(vault: Felt): Promise<LeverageTarget | null>;
  /** Null takes the target away. */
  abstract set(vault: Felt, targetBps: number | null): Promise<void>;
}
