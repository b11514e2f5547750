import type { WalletStorage } from '../storage.js';

/**
 * Creates a storage that is lost when the page or process ends. Suitable for tests, and for wallets
 * that restore their notes from a seed.
 */
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
