/**
 * Where a wallet keeps what it must not lose: which note indices are used, and how far each
 * deposit, withdrawal and swap has come. Shared by all tabs of a wallet.
 */
export interface WalletStorage {
  /** @returns undefined where nothing is kept */
  read(key: string): Promise<string | undefined>;
  /**
   * Writes `next` (undefined deletes) if what is kept is still `expected`; atomic among all that
   * share the storage, and durable when it resolves.
   * @returns whether it was written
   */
  replace(key: string, expected: string | undefined, next: string | undefined): Promise<boolean>;
  /** Keys that begin with `prefix`, in order. */
  keys(prefix: string): Promise<readonly string[]>;
}
