import type { Clock, DomainError } from '@sotto/kernel';
import { LedgerUnavailable } from '@sotto/submission-core';
import type { Alert, AlertSighting } from '../domain/alert.js';
import type { AlertBook } from '../ports/alert-book.port.js';

/** Alerts until the process ends. Instances share it as they would share a store. */
export class InMemoryAlertBook implements AlertBook {
  readonly #seen = new Map<string, Alert & AlertSighting>();
  #failure: DomainError | null = null;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Every call rejects with it until null is given. */
  fail(failure: DomainError | null = new LedgerUnavailable()): void {
    this.#failure = failure;
  }

  async note(instance: string, alerts: readonly Alert[], lapseMs: number): Promise<void> {
    this.#answer();
    const nowMs = this.clock.nowMs();
    for (const { code, component } of alerts) {
      const key = JSON.stringify([code, component, instance]);
      const before = this.#seen.get(key);
      const goesOn = before !== undefined && nowMs - before.lastSeenMs < lapseMs;
      const sinceMs = goesOn ? before.sinceMs : nowMs;
      this.#seen.set(key, { code, component, sinceMs, lastSeenMs: nowMs });
    }
  }

  async sightings({
    code,
    component,
  }: Alert): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }> {
    this.#answer();
    const sightings = [...this.#seen.values()]
      .filter((each) => each.code === code && each.component === component)
      .map(({ sinceMs, lastSeenMs }) => ({ sinceMs, lastSeenMs }));
    return { nowMs: this.clock.nowMs(), sightings };
  }

  async forget(olderThanMs: number): Promise<number> {
    this.#answer();
    const old = [...this.#seen].filter(
      ([, { lastSeenMs }]) => this.clock.nowMs() - lastSeenMs > olderThanMs,
    );
    for (const [key] of old) this.#seen.delete(key);
    return old.length;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
