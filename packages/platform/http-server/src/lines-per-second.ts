/** Maximum lines a second, for all callers. */
const MOST = 10;
const SECOND_MS = 1_000;

/** Runs the function after a second. */
export type AfterSecond = (run: () => void) => void;
const afterSecond: AfterSecond = (run) => void setTimeout(run, SECOND_MS).unref();

/** Counts by name. */
type Counts = Readonly<Record<string, number>>;

/** Limits log lines that callers can cause: some are logged, the others are counted. */
export class LinesPerSecond {
  #inSecond = 0;
  readonly #withoutLine = new Map<string, number>();

  /** @param summarize logs the counts of a second in which lines were suppressed */
  constructor(
    private readonly summarize: (counts: Counts) => void,
    private readonly wait: AfterSecond = afterSecond,
  ) {}

  /** Returns true if the line may be logged; otherwise counts it under the name. */
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
