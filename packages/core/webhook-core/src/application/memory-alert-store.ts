import type { Clock } from '@sotto/kernel';
import type { Alert, AlertSighting, SeenAlert } from '../domain/alert.js';
import type { AlertStore } from '../ports/alert-store.port.js';

/** Alert store in memory, which is lost when the process ends. */
export class MemoryAlertStore implements AlertStore {
  readonly #seen = new Map<string, Alert & AlertSighting>();

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  async note(instance: string, alerts: readonly SeenAlert[], lapseMs: number): Promise<void> {
    const nowMs = this.clock.nowMs();
    for (const { code, component, standsMs = 0 } of alerts) {
      const key = JSON.stringify([code, component, instance]);
      const before = this.#seen.get(key);
      const goesOn =
        before !== undefined && nowMs - before.lastSeenMs < lapseMs && before.sinceMs <= nowMs;
      const sinceMs = goesOn ? before.sinceMs : nowMs - standsMs;
      this.#seen.set(key, { code, component, sinceMs, lastSeenMs: nowMs });
    }
  }

  async sightings({
    code,
    component,
  }: Alert): Promise<{ readonly nowMs: number; readonly sightings: readonly AlertSighting[] }> {
    const sightings = [...this.#seen.values()]
      .filter((each) => each.code === code && each.component === component)
      .map(({ sinceMs, lastSeenMs }) => ({ sinceMs, lastSeenMs }));
    return { nowMs: this.clock.nowMs(), sightings };
  }

  async forget(olderThanMs: number): Promise<number> {
    const old = [...this.#seen].filter(
      ([, { lastSeenMs }]) => this.clock.nowMs() - lastSeenMs > olderThanMs,
    );
    for (const [key] of old) this.#seen.delete(key);
    return old.length;
  }
}
