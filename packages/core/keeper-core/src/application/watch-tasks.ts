import type { TaskName } from '@sotto/facts';
import type { BackgroundTask, Logger } from '@sotto/kernel';
import type { KeeperTask } from '../ports/keeper-task.js';
import type { TaskStore } from '../ports/task-store.port.js';
import type { TaskLeases } from '../ports/task-leases.port.js';
import { notHeldSince } from './not-held.js';
import { controlOf } from './task-controls.js';

export interface WatchTasksPorts {
  readonly leases: Pick<TaskLeases, 'lapsed'>;
  readonly store: Pick<TaskStore, 'controls'>;
  readonly logger: Logger;
}

const INTERVAL_MS = 30_000;

/**
 * Logs tasks whose keepers have crashed, once per outage. A crashed keeper logs nothing, so the
 * watch can run in a process that runs none of these tasks.
 */
export class WatchTasks implements BackgroundTask {
  readonly name = 'the watch over tasks of the keeper';
  readonly intervalMs = INTERVAL_MS;
  #notHeld: ReadonlySet<TaskName> = new Set();

  constructor(
    private readonly ports: WatchTasksPorts,
    private readonly tasks: readonly Pick<KeeperTask, 'name' | 'intervalMs'>[],
  ) {}

  /** Checks the tasks once. Rejects with `LedgerUnavailable`. */
  async run(): Promise<void> {
    const { leases, store, logger } = this.ports;
    const [lapsed, controls] = await Promise.all([leases.lapsed(), store.controls()]);
    const notHeld = this.tasks
      .filter((task) => notHeldSince(task, lapsed) !== null)
      .map(({ name }) => name)
      .filter((name) => (controlOf(controls, name, null)?.paused ?? null) === null);
    for (const task of notHeld)
      if (!this.#notHeld.has(task))
        logger.error({ task, reason: 'NOT_HELD' }, 'a task of the keeper needs an operator');
    this.#notHeld = new Set(notHeld);
  }
}
