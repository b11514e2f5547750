/**
 * The node's own time: block timestamps, mempool lifetimes and staged lags follow it.
 * It runs with the machine's clock, shifted; or stands still where a test put it.
 */
export class SandboxClock {
  readonly #systemNowMs: () => number;
  #shiftMs = 0;
  #frozenAtMs: number | undefined;

  constructor(systemNowMs: () => number = Date.now) {
    this.#systemNowMs = systemNowMs;
  }

  /** Milliseconds since the Unix epoch. */
  nowMs(): number {
    return this.#frozenAtMs ?? this.#systemNowMs() + this.#shiftMs;
  }

  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Goes forward (or back, when negative); a frozen clock stays frozen at the new time. */
  move(byMs: number): void {
    if (this.#frozenAtMs === undefined) this.#shiftMs += byMs;
    else this.#frozenAtMs += byMs;
  }

  /** Stands still at `atMs`, by default at the present time. */
  freeze(atMs: number = this.nowMs()): void {
    this.#frozenAtMs = atMs;
  }

  /** Runs on from where it stands. */
  run(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#shiftMs = this.#frozenAtMs - this.#systemNowMs();
    this.#frozenAtMs = undefined;
  }
}
