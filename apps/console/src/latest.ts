/**
 * Order of the requests for one type of data. A response is dropped if the page has already
 * accepted the response to a later request.
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
   * Accepts the response to this request if no response to a later request was accepted before.
   * Returns true if the response is accepted.
   */
  take(question: number): boolean {
    if (question <= this.#taken) return false;
    this.#taken = question;
    return true;
  }

  /** Makes `take` reject the responses to all requests that have begun so far. */
  drop(): void {
    this.#taken = this.#requested;
  }
}

/** Maximum number of stored changes. During one request, fewer changes occur than this maximum. */
const MOST_CHANGES = 1_000;

/**
 * Changes that the event stream reported, by the key of their row. The page stores these changes,
 * because a response that arrives later may contain older rows.
 */
export class Changes<T> {
  #count = 0;
  readonly #changed = new Map<string, { readonly row: T; readonly at: number }>();

  /** Number of changes so far. A request stores this number when it starts. */
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
   * Returns the rows that changed after the mark, oldest change first. Each row is in its newest
   * version.
   */
  since(mark: number): readonly T[] {
    return [...this.#changed.values()].filter(({ at }) => at > mark).map(({ row }) => row);
  }
}
