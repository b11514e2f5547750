import type { TaskName } from '@sotto/facts';

/** One holder for each task, among all processes on one store. Times are the store's own. */
export abstract class TaskLeases {
  /**
   * Takes the task, or prolongs the hold on it: true while this instance holds it for `ttlMs` from
   * now. Rejects with `LedgerUnavailable`.
   */
  abstract hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean>;
  /** Gives it back; nothing happens when another instance holds it. */
  abstract release(task: TaskName, instance: string): Promise<void>;
}
