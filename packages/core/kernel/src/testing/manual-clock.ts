import type { Clock } from '../clock.js';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** Clock that advances only when a test calls it. */
export class ManualClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs = 1_800_000_000_000) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        dueMs: this.#monotonicMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      if (ms <= 0 || signal?.aborted === true) sleeper.wake();
      else signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /**
   * Moves the wall clock by this many milliseconds, as if the machine's clock was set. The
   * monotonic time does not change.
   */
  step(ms: number): void {
    this.#nowMs += ms;
  }

  /** Number of sleeps that have not ended. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Advances the time by this many milliseconds and ends all sleeps whose time has passed. */
  advance(ms: number): void {
    this.#nowMs += ms;
    this.#monotonicMs += ms;
    for (const sleeper of this.#sleepers) if (sleeper.dueMs <= this.#monotonicMs) sleeper.wake();
  }
}
