import type { TaskName } from '@sotto/facts';

/** The instance that a task is held by, as long as it does not prolong it. */
export interface TaskHolder {
  readonly task: TaskName;
  readonly instance: string;
  readonly untilMs: number;
}

/** One holder for each task, among all processes on one store. Times are the store's own. */
export abstract class TaskLeases {
  /**
   * Takes the task, or prolongs the hold on it: true while this instance holds it for `ttlMs` from
   * now. Rejects with `LedgerUnavailable`.
   */
  abstract hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean>;
  /**
   * Gives it back; nothing happens when another instance holds it. Rejects with
   * `LedgerUnavailable`: the hold then ends by its time.
   */
  abstract release(task: TaskName, instance: string): Promise<void>;
  /** Who holds what now, by task. Rejects with `LedgerUnavailable`. */
  abstract holders(): Promise<readonly TaskHolder[]>;
}
