import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

interface Window {
  hits: number;
  readonly endsAtMs: number;
}

/**
 * Counts requests per client in fixed windows, for at most so many clients: when it is full, the client whose window began first is
 * forgotten. So a flood from many addresses costs a bounded amount of memory, and can at most shorten other clients' windows.
 */
export class BoundedRateStore implements Store {
  /** Clients never meet those of another store. */
  readonly localKeys = true;
  /** In the order in which windows began. */
  readonly #windows = new Map<string, Window>();
  #windowMs = 60_000;

  /** @param nowMs @default the system's clock */
  constructor(
    private readonly maxClients: number,
    private readonly nowMs: () => number = Date.now,
  ) {}

  init({ windowMs }: Pick<Options, 'windowMs'>): void {
    this.#windowMs = windowMs;
  }

  get size(): number {
    return this.#windows.size;
  }

  increment(key: string): ClientRateLimitInfo {
    const window = this.#running(key) ?? this.#begin(key);
    window.hits += 1;
    return { totalHits: window.hits, resetTime: new Date(window.endsAtMs) };
  }

  decrement(key: string): void {
    const window = this.#running(key);
    if (window !== undefined && window.hits > 0) window.hits -= 1;
  }

  resetKey(key: string): void {
    this.#windows.delete(key);
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
    const window: Window = { hits: 0, endsAtMs: this.nowMs() + this.#windowMs };
    this.#windows.set(key, window);
    return window;
  }
}
