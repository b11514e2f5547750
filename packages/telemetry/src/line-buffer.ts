/** So many do not wait any longer. */
const MAX_LINES = 1_000;

/** Gathers lines for a moment, because one write costs more than making many of them. */
export class LineBuffer {
  #waiting: string[] = [];

  /**
   * @param sink has written when its `write` returns
   * @param waitMs how long a line waits at most
   */
  constructor(
    private readonly sink: { write(text: string): unknown },
    private readonly waitMs: number,
  ) {}

  write(line: string): void {
    if (this.#waiting.length === 0) setTimeout(() => this.flush(), this.waitMs).unref();
    this.#waiting.push(line);
    if (this.#waiting.length >= MAX_LINES) this.flush();
  }

  /** Writes what waits before it returns. */
  flush(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    if (lines.length > 0) this.sink.write(lines.join(''));
  }
}
