/**
 * The node's time, used for block timestamps, mempool lifetimes and lags. Equals the machine's
 * clock plus a shift, or frozen at a time that a test chose.
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

  /** Moves the clock forward, or back if negative; a frozen clock stays frozen at the new time. */
  move(byMs: number): void {
    if (this.#frozenAtMs === undefined) this.#shiftMs += byMs;
    else this.#frozenAtMs += byMs;
  }

  /** Freezes the clock at `atMs`, by default the current time. */
  freeze(atMs: number = this.nowMs()): void {
    this.#frozenAtMs = atMs;
  }

  /** Resumes from the frozen time. */
  run(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#shiftMs = this.#frozenAtMs - this.#systemNowMs();
    this.#frozenAtMs = undefined;
  }
}
