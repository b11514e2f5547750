import type { WalletStorage } from '../../src/advanced.js';

/** Storage in the memory of this process. */
export class MemoryStorage implements WalletStorage {
  readonly #texts = new Map<string, string>();

  async read(key: string): Promise<string | undefined> {
    return this.#texts.get(key);
  }

  async replace(
    key: string,
    expected: string | undefined,
    next: string | undefined,
  ): Promise<boolean> {
    if (this.#texts.get(key) !== expected) return false;
    if (next === undefined) this.#texts.delete(key);
    else this.#texts.set(key, next);
    return true;
  }

  async keys(prefix: string): Promise<readonly string[]> {
    return [...this.#texts.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  }
}
