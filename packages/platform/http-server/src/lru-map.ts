/**
 * Map with a maximum number of entries. A new entry above the maximum evicts the entry that was set
 * first.
 */
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
    // The key is deleted first, so that setting an entry again moves it to the end.
    this.#entries.delete(key);
    for (const first of this.#entries.keys()) {
      if (this.#entries.size < this.most) break;
      this.#entries.delete(first);
    }
    this.#entries.set(key, value);
  }
}
