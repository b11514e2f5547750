import { memoryStorage } from '../storage/memory-storage.js';
import type { WalletStorage } from '../storage.js';

/** Fault of a storage. */
export type FakeStorageFault =
  /** The call rejects, and nothing was written. */
  | 'rejects'
  /** The write was made, and the call rejects. */
  | 'done-and-rejects'
  /** The call is never answered, and nothing was written. */
  | 'hangs'
  /** The write was made, and the call is never answered. */
  | 'done-and-hangs'
  /** A read returns this text instead of the stored text. */
  | { readonly text: string };

/** Storage in memory that a test can let fail. */
export class FakeStorage implements WalletStorage {
  /**
   * Returns the fault of a call. `next` is the text that a write stores.
   * @default no faults
   */
  fault: (method: keyof WalletStorage, key: string, next?: string) => FakeStorageFault | undefined =
    () => undefined;
  readonly #kept = memoryStorage();

  async read(key: string): Promise<string | undefined> {
    return this.#carryOut(this.fault('read', key), () => this.#kept.read(key));
  }

  async replace(
    key: string,
    expected: string | undefined,
    next: string | undefined,
  ): Promise<boolean> {
    return this.#carryOut(this.fault('replace', key, next), () =>
      this.#kept.replace(key, expected, next),
    );
  }

  async keys(prefix: string): Promise<readonly string[]> {
    return this.#carryOut(this.fault('keys', prefix), () => this.#kept.keys(prefix));
  }

  async #carryOut<T>(fault: FakeStorageFault | undefined, act: () => Promise<T>): Promise<T> {
    if (fault === 'rejects') throw new Error('the storage fails');
    if (fault === 'hangs') return new Promise(() => undefined);
    const answer = await act();
    if (fault === 'done-and-rejects') throw new Error('the storage fails');
    if (fault === 'done-and-hangs') return new Promise(() => undefined);
    return typeof fault === 'object' ? JSON.parse(JSON.stringify(fault.text)) : answer;
  }
}
