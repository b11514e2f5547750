/** Order of answers about one subject: an older answer that arrives later is dropped. */
export class Latest {
  #asked = 0;
  #taken = 0;

  /** Numbers a request. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /** Returns true if the answer is newer than all accepted ones, and accepts it. */
  take(question: number): boolean {
    if (question <= this.#taken) return false;
    this.#taken = question;
    return true;
  }

  /** Rejects the answers of all requests so far. */
  drop(): void {
    this.#taken = this.#asked;
  }
}

/** Maximum number of stored changes, more than occur during one request. */
const MOST_CHANGES = 1_000;

/**
 * Changes that the stream reported, by key of their row. The answer to a request may predate them.
 */
export class Changes<T> {
  #count = 0;
  readonly #changed = new Map<string, { readonly row: T; readonly at: number }>();

  /** Current position in the order of changes; store it when a request starts. */
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

  /** Rows that changed after this position, each in its last version, oldest change first. */
  since(mark: number): readonly T[] {
    return [...this.#changed.values()].filter(({ at }) => at > mark).map(({ row }) => row);
  }
}
