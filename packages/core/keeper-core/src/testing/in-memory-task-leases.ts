import type { TaskName } from '@sotto/facts';
import type { Clock, DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { TaskHolder, TaskLeases } from '../ports/task-leases.port.js';

/** Holds on tasks, until the process ends. Instances share it as they would share a store. */
export class InMemoryTaskLeases implements TaskLeases {
  readonly #holders = new Map<TaskName, TaskHolder>();
  #failure: DomainError | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Every call rejects with it until null is given. */
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
    if (this.#holders.get(task)?.instance === instance) this.#holders.delete(task);
  }

  async holders(): Promise<readonly TaskHolder[]> {
    this.#answer();
    return [...this.#holders.values()]
      .filter(({ untilMs }) => untilMs > this.clock.nowMs())
      .toSorted((a, b) => (a.task < b.task ? -1 : 1));
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
