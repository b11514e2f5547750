import type { Clock } from '@sotto/kernel';

/**
 * Clock of the store as this process last read it. The process's monotonic clock advances this
 * time.
 */
export class StoreTime {
  #nowMs: number | null = null;
  #readAtMs = 0;

  constructor(private readonly clock: Clock) {}

  read(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#readAtMs = this.clock.monotonicMs();
  }

  /** Returns the current time by the store's clock, in ms; null before the clock was read. */
  nowMs(): number | null {
    return this.#nowMs === null ? null : this.#nowMs + (this.clock.monotonicMs() - this.#readAtMs);
  }

  /**
   * Returns the difference between the machine's clock and the store's clock, in ms; positive if
   * the machine is ahead. Null before the store's clock was read.
   */
  skewMs(): number | null {
    const nowMs = this.nowMs();
    return nowMs === null ? null : this.clock.nowMs() - nowMs;
  }
}
