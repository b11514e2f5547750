/** Map with a maximum number of entries. If it is full, the entry that was set first is removed. */
export class LruMap<V> {
  readonly #entries = new Map<string, V>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    // Delete it first, so that an entry that is set again moves to the end.
    this.#entries.delete(key);
    for (const first of this.#entries.keys()) {
      if (this.#entries.size < this.most) break;
      this.#entries.delete(first);
    }
    this.#entries.set(key, value);
  }
}
