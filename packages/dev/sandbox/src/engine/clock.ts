/**
 * Clock of the node, used for block timestamps, mempool lifetimes and lags. The time is the
 * machine's clock plus a shift, or a frozen time that a test has set.
 */
export class SandboxClock {
  readonly #systemNowMs: () => number;
  #shiftMs = 0;
  #frozenAtMs: number | undefined;

  constructor(systemNowMs: () => number = Date.now) {
    this.#systemNowMs = systemNowMs;
  }

  /** Returns milliseconds since the Unix epoch. */
  nowMs(): number {
    return this.#frozenAtMs ?? this.#systemNowMs() + this.#shiftMs;
  }

  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /**
   * Moves the clock by `byMs` milliseconds; a negative number moves it back. A frozen clock stays
   * frozen at the new time.
   */
  move(byMs: number): void {
    if (this.#frozenAtMs === undefined) this.#shiftMs += byMs;
    else this.#frozenAtMs += byMs;
  }

  /** Freezes the clock at `atMs`, by default the current time. */
  freeze(atMs: number = this.nowMs()): void {
    this.#frozenAtMs = atMs;
  }

  /** Makes the clock run again from the time at which it was frozen. */
  run(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#shiftMs = this.#frozenAtMs - this.#systemNowMs();
    this.#frozenAtMs = undefined;
  }
}
