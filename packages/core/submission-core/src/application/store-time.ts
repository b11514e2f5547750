import type { Clock } from '@sotto/kernel';

/**
 * The store's clock as this process last read it, carried on by the process's own monotonic one.
 */
export class StoreTime {
  #nowMs: number | null = null;
  #readAtMs = 0;

  constructor(private readonly clock: Clock) {}

  read(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#readAtMs = this.clock.monotonicMs();
  }

  /** Null until it was read. */
  nowMs(): number | null {
    return this.#nowMs === null ? null : this.#nowMs + (this.clock.monotonicMs() - this.#readAtMs);
  }

  /** How far the machine's clock is ahead of the store's; null until it was read. */
  skewMs(): number | null {
    const nowMs = this.nowMs();
    return nowMs === null ? null : this.clock.nowMs() - nowMs;
  }
}
