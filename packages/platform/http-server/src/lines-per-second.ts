/** Maximum number of log lines per second for all callers together. */
const MOST = 10;
const SECOND_MS = 1_000;

/** Calls the function after one second. */
export type AfterSecond = (run: () => void) => void;
const afterSecond: AfterSecond = (run) => void setTimeout(run, SECOND_MS).unref();

/** Number of suppressed lines by name. */
type Counts = Readonly<Record<string, number>>;

/** Limits the log lines that callers can cause. Lines above the limit are only counted. */
export class LinesPerSecond {
  #inSecond = 0;
  readonly #withoutLine = new Map<string, number>();

  /** @param summarize logs the counts of a second in which lines were suppressed */
  constructor(
    private readonly summarize: (counts: Counts) => void,
    private readonly wait: AfterSecond = afterSecond,
  ) {}

  /** Returns true if the line may be logged. Otherwise counts the line under the name. */
  mayLog(name: string): boolean {
    if (this.#inSecond === 0) this.wait(() => this.#end());
    this.#inSecond += 1;
    if (this.#inSecond <= MOST) return true;
    this.#withoutLine.set(name, (this.#withoutLine.get(name) ?? 0) + 1);
    return false;
  }

  #end(): void {
    if (this.#withoutLine.size > 0) this.summarize(Object.fromEntries(this.#withoutLine));
    this.#withoutLine.clear();
    this.#inSecond = 0;
  }
}
