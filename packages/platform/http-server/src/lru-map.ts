/**
 * A map of at most so many entries: when it is full, the one that was put in first is forgotten.
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
    // So that what is renewed again and again stays.
    this.#entries.delete(key);
    for (const first of this.#entries.keys()) {
      if (this.#entries.size < this.most) break;
      this.#entries.delete(first);
    }
    this.#entries.set(key, value);
  }
}
