/** Answers of questions about one thing may overtake each other: an older one replaces no newer. */
export class Latest {
  #asked = 0;
  #taken = 0;

  /** Numbers a question. */
  ask(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /** Whether the answer of this question is newer than all that were taken. */
  take(question: number): boolean {
    if (question <= this.#taken) return false;
    this.#taken = question;
    return true;
  }

  /** What was asked so far is not taken any more. */
  drop(): void {
    this.#taken = this.#asked;
  }
}

/** More than change while one question is under way. */
const MOST_CHANGES = 1_000;

/**
 * What the stream has said of rows, by their key: an answer that was asked for before a change may
 * not know it.
 */
export class Changes<T> {
  #count = 0;
  readonly #changed = new Map<string, { readonly row: T; readonly at: number }>();

  /** Place in the order of changes, to be kept when a question is asked. */
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

  /** Rows that have changed after this place, each as it was last, oldest change first. */
  since(mark: number): readonly T[] {
    return [...this.#changed.values()].filter(({ at }) => at > mark).map(({ row }) => row);
  }
}
