/** Takes text. */
export interface TextSink {
  write(text: string): void;
}

/** Longer than this, lines do not wait. */
const MAX_WAITING = 65_536;

/** Gathers lines for a moment, because one write costs more than making many of them. */
export class LineBuffer {
  #waiting = '';

  /**
   * @param sink has written when its `write` returns
   * @param waitMs how long a line waits at most
   */
  constructor(
    private readonly sink: TextSink,
    private readonly waitMs: number,
  ) {}

  write(line: string): void {
    if (this.#waiting === '') setTimeout(() => this.flush(), this.waitMs).unref();
    this.#waiting += line;
    if (this.#waiting.length > MAX_WAITING) this.flush();
  }

  /** Writes what waits before it returns. */
  flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.sink.write(text);
  }
}
