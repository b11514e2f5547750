import type { Clock } from '@sotto/kernel';

/**
 * The store's time where the database has no clock of its own: the wall clock as it stood at the
 * opening, carried on by the monotonic one. Steps of the wall clock while the store is open change
 * nothing.
 */
export class StoreTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #originMs: number;

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
    this.#originMs = clock.nowMs() - clock.monotonicMs();
  }

  nowMs(): number {
    return Math.round(this.#originMs + this.#clock.monotonicMs());
  }

  /** The rows hold this time already, so it is not earlier than that. */
  notBefore(ms: number): void {
    this.#originMs = Math.max(this.#originMs, ms - this.#clock.monotonicMs());
  }
}
