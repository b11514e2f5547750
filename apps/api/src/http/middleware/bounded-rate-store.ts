import { systemClock } from '@sotto/kernel';

interface Window {
  hits: number;
  readonly endsAtMs: number;
}

/**
 * Counts requests per client in fixed windows, for at most so many clients: when it is full, the
 * client whose window began first is forgotten. So a flood from many addresses costs a bounded
 * amount of memory, and can at most shorten other clients' windows.
 */
export class BoundedRateStore {
  /** In the order in which windows began. */
  readonly #windows = new Map<string, Window>();

  /** @param nowMs @default the process's monotonic clock */
  constructor(
    private readonly maxClients: number,
    private readonly windowMs: number,
    private readonly nowMs: () => number = () => systemClock.monotonicMs(),
  ) {}

  get size(): number {
    return this.#windows.size;
  }

  /** Counts a request. @returns how many the client has made in its window, this one included */
  increment(key: string): number {
    const window = this.#running(key) ?? this.#begin(key);
    window.hits += 1;
    return window.hits;
  }

  /** Until the client's window ends, at least 1. */
  secondsLeft(key: string): number {
    const endsAtMs = this.#running(key)?.endsAtMs ?? 0;
    return Math.max(1, Math.ceil((endsAtMs - this.nowMs()) / 1_000));
  }

  #running(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAtMs > this.nowMs() ? window : undefined;
  }

  #begin(key: string): Window {
    this.#windows.delete(key);
    for (const [oldest, { endsAtMs }] of this.#windows) {
      if (this.#windows.size < this.maxClients && endsAtMs > this.nowMs()) break;
      this.#windows.delete(oldest);
    }
    const window: Window = { hits: 0, endsAtMs: this.nowMs() + this.windowMs };
    this.#windows.set(key, window);
    return window;
  }
}
