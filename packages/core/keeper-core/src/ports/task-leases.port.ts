import type { TaskName } from '@sotto/facts';

/** The instance that a task is held by, as long as it does not prolong it. */
export interface TaskHolder {
  readonly task: TaskName;
  readonly instance: string;
  readonly untilMs: number;
}

/** The last hold on a task that no instance holds now, though one did. */
export interface LapsedHold {
  readonly task: TaskName;
  readonly instance: string;
  /** When it ended: it was given back, or its holder no longer prolonged it. */
  readonly untilMs: number;
  /** How long ago that is, by the store's clock. */
  readonly forMs: number;
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
  /** Of each task that was ever held and is not now, by task. Rejects with `LedgerUnavailable`. */
  abstract lapsed(): Promise<readonly LapsedHold[]>;
}
