/**
 * Order of the requests for one subject. A response that is older than an accepted one is dropped.
 */
export class Latest {
  #requested = 0;
  #taken = 0;

  /** Begins a request and returns its number. */
  query(): number {
    this.#requested += 1;
    return this.#requested;
  }

  /**
   * Accepts the response to this request if it is newer than all accepted responses. Returns true
   * if it is accepted.
   */
  take(question: number): boolean {
    if (question <= this.#taken) return false;
    this.#taken = question;
    return true;
  }

  /** Makes `take` reject the responses to all requests so far. */
  drop(): void {
    this.#taken = this.#requested;
  }
}

/** Maximum number of stored changes. More changes than these do not occur during one request. */
const MOST_CHANGES = 1_000;

/**
 * Changes that the stream reported, by the key of their row. A response may be older than such a
 * change.
 */
export class Changes<T> {
  #count = 0;
  readonly #changed = new Map<string, { readonly row: T; readonly at: number }>();

  /** Current position in the sequence of changes. A request stores the position when it starts. */
  get mark(): number {
    return this.#count;
  }

  note(key: string, row: T): void {
    this.#count += 1;
    this.#changed.delete(key);
    this.#changed.set(key, { row, at: this.#count });
    const [oldest] = this.#changed.keys();
    if (this.#changed.size > MOST_CHANGES && oldest !== undefined) this.#changed.delete(oldest);
  }

  /**
   * Returns the rows that changed after this position, each in its last version, oldest change
   * first.
   */
  since(mark: number): readonly T[] {
    return [...this.#changed.values()].filter(({ at }) => at > mark).map(({ row }) => row);
  }
}
