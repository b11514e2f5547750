import type { WalletStorage } from '../storage.js';

/** A storage that ends with the page or process: for tests, and for wallets that recover. */
export function memoryStorage(): WalletStorage {
  const entries = new Map<string, string>();
  return {
    read: async (key) => entries.get(key),
    replace: async (key, expected, next) => {
      if (entries.get(key) !== expected) return false;
      if (next === undefined) entries.delete(key);
      else entries.set(key, next);
      return true;
    },
    keys: async (prefix) => [...entries.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
  };
}
