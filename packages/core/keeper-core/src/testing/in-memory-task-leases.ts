import type { TaskName } from '@sotto/facts';
import type { Clock, DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { LapsedHold, TaskHolder, TaskLeases } from '../ports/task-leases.port.js';

/**
 * Leases of tasks in memory, lost when the process ends. Several instances share one object as they
 * would share a store.
 */
export class InMemoryTaskLeases implements TaskLeases {
  readonly #holders = new Map<TaskName, TaskHolder>();
  #failure: DomainError | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async hold(task: TaskName, instance: string, ttlMs: number): Promise<boolean> {
    this.#answer();
    const nowMs = this.clock.nowMs();
    const holder = this.#holders.get(task);
    if (holder !== undefined && holder.instance !== instance && holder.untilMs > nowMs)
      return false;
    this.#holders.set(task, { task, instance, untilMs: nowMs + ttlMs });
    return true;
  }

  async release(task: TaskName, instance: string): Promise<void> {
    this.#answer();
    const nowMs = this.clock.nowMs();
    const holder = this.#holders.get(task);
    if (holder?.instance === instance && holder.untilMs > nowMs)
      this.#holders.set(task, { ...holder, untilMs: nowMs });
  }

  async holders(): Promise<readonly TaskHolder[]> {
    this.#answer();
    return this.#byTask().filter(({ untilMs }) => untilMs > this.clock.nowMs());
  }

  async lapsed(): Promise<readonly LapsedHold[]> {
    this.#answer();
    return this.#byTask().flatMap((hold) => {
      const forMs = this.clock.nowMs() - hold.untilMs;
      return forMs < 0 ? [] : [{ ...hold, forMs }];
    });
  }

  #byTask(): readonly TaskHolder[] {
    return [...this.#holders.values()].toSorted((a, b) => (a.task < b.task ? -1 : 1));
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
