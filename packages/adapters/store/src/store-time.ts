import type { Clock } from '@sotto/kernel';

/**
 * Store's time for a database without a clock: the wall clock when the store is opened, then
 * advanced by the monotonic clock. Changes of the wall clock while the store is open have no
 * effect.
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

  /** Advances the store's time to the newest time in the rows, if the store's time is earlier. */
  notBefore(ms: number): void {
    this.#originMs = Math.max(this.#originMs, ms - this.#clock.monotonicMs());
  }
}
