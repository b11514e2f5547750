import type { Clock } from '../clock.js';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs: number;
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
        dueMs: this.#nowMs + ms,
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

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Moves time on and wakes everybody whose time has come. */
  advance(ms: number): void {
    this.#nowMs += ms;
    for (const sleeper of this.#sleepers) if (sleeper.dueMs <= this.#nowMs) sleeper.wake();
  }
}
