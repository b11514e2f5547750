/**
 * Durable storage of a wallet, for used note indices and the progress of each deposit, withdrawal
 * and swap. All tabs of a wallet share this storage.
 */
export interface WalletStorage {
  /** @returns undefined if the key has no value */
  read(key: string): Promise<string | undefined>;
  /**
   * Writes `next` if the stored value is still `expected`; if `next` is undefined, deletes the
   * value. The write is atomic among all users of the storage, and durable when the call resolves.
   * @returns true if `next` was written
   */
  replace(key: string, expected: string | undefined, next: string | undefined): Promise<boolean>;
  /** Returns the keys that begin with `prefix`, in ascending order. */
  keys(prefix: string): Promise<readonly string[]>;
}
