import type { TaskName } from '@sotto/facts';

/** Instance that holds a task until the end of its lease. The instance may extend the lease. */
export interface TaskHolder {
  readonly task: TaskName;
  readonly instance: string;
  readonly untilMs: number;
}

/** Last lease of a task that no instance holds at present. */
export interface LapsedHold {
  readonly task: TaskName;
  readonly instance: string;
  /**
   * Time at which the lease ended because it was released or not extended, in Unix milliseconds.
   */
  readonly untilMs: number;
  /** Time since the end of the lease, by the store's clock, in milliseconds. */
  readonly forMs: number;
}

/**
 * Grants each task to only one holder among all processes on one store. All times are from the
 * store's clock.
 */
export abstract class TaskLeases {
  /**
   * Acquires the task's lease, or extends it. Returns true if this instance now holds the lease for
   * `ttlMs`. Rejects with `LedgerUnavailable`.
   */
  abstract hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean>;
  /**
   * Releases the lease, unless another instance holds it. Rejects with `LedgerUnavailable`; in this
   * case the lease ends when it expires.
   */
  abstract release(task: TaskName, instance: string): Promise<void>;
  /** Returns the current holders, sorted by task. Rejects with `LedgerUnavailable`. */
  abstract holders(): Promise<readonly TaskHolder[]>;
  /**
   * Returns the last leases of tasks without a holder, sorted by task. Rejects with
   * `LedgerUnavailable`.
   */
  abstract lapsed(): Promise<readonly LapsedHold[]>;
}
