/** About a thousand lines. More do not wait any longer. */
const CAPACITY_BYTES = 256 * 1024;
/** Of one UTF-16 unit, in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Gathers lines for a moment, because one write costs more than making many of them. They wait as
 * bytes: text that is put together of many pieces and kept costs the garbage collector more than to
 * make it did.
 */
export class LineBuffer {
  readonly #waiting = Buffer.alloc(CAPACITY_BYTES);
  #used = 0;

  /**
   * @param sink has written when its `write` returns
   * @param waitMs how long a line waits at most
   */
  constructor(
    private readonly sink: { write(text: string | Uint8Array): unknown },
    private readonly waitMs: number,
  ) {}

  write(line: string): void {
    const mostBytes = line.length * MAX_BYTES_PER_UNIT;
    if (mostBytes > CAPACITY_BYTES - this.#used) this.flush();
    if (mostBytes > CAPACITY_BYTES) {
      this.sink.write(line);
      return;
    }
    if (this.#used === 0) setTimeout(() => this.flush(), this.waitMs).unref();
    this.#used += this.#waiting.write(line, this.#used);
  }

  /** Writes what waits before it returns. */
  flush(): void {
    if (this.#used === 0) return;
    // A copy: no sink that keeps what it was given, as streams may, sees it change.
    const lines = Buffer.from(this.#waiting.subarray(0, this.#used));
    this.#used = 0;
    this.sink.write(lines);
  }
}
