import type { Clock } from '@sotto/kernel';

/** Store's clock as this process last read it, advanced by the process's monotonic clock. */
export class StoreTime {
  #nowMs: number | null = null;
  #readAtMs = 0;

  constructor(private readonly clock: Clock) {}

  read(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#readAtMs = this.clock.monotonicMs();
  }

  /** Null before it was read. */
  nowMs(): number | null {
    return this.#nowMs === null ? null : this.#nowMs + (this.clock.monotonicMs() - this.#readAtMs);
  }

  /** Lead of the machine's clock over the store's, in ms; null before it was read. */
  skewMs(): number | null {
    const nowMs = this.nowMs();
    return nowMs === null ? null : this.clock.nowMs() - nowMs;
  }
}
