import type { TaskName } from '@sotto/facts';

/** Instance that holds a task, until the lease ends unless it is extended. */
export interface TaskHolder {
  readonly task: TaskName;
  readonly instance: string;
  readonly untilMs: number;
}

/** Last lease of a task that no instance holds now. */
export interface LapsedHold {
  readonly task: TaskName;
  readonly instance: string;
  /** End of the lease: it was released, or not extended. */
  readonly untilMs: number;
  /** Time since then, by the store's clock, in milliseconds. */
  readonly forMs: number;
}

/** Grants each task to one holder, among all processes on one store. Times are the store's own. */
export abstract class TaskLeases {
  /**
   * Acquires the task's lease, or extends it: true if this instance now holds it for `ttlMs`.
   * Rejects with `LedgerUnavailable`.
   */
  abstract hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean>;
  /**
   * Releases the lease, unless another instance holds it. Rejects with `LedgerUnavailable`: the
   * lease then ends by expiry.
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
