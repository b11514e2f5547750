import { openDB, type IDBPDatabase } from 'idb';

import { WalletError } from '../errors.js';
import type { WalletStorage } from '../storage.js';

const VERSION = 1;
const ENTRIES = 'entries';

/**
 * Creates a storage in the browser's IndexedDB, which all tabs of the origin share. A completed
 * write is on disk. Browsers may clear the storage when disk space is short, unless
 * `navigator.storage.persist()` was granted; `recoverNotes` then restores notes.
 * @param name database name; each wallet of an origin needs a separate database
 * @throws WalletError STORAGE_UNAVAILABLE from each method: no IndexedDB, no space or no access
 */
export function browserStorage(name: string): WalletStorage {
  let opened: Promise<IDBPDatabase> | undefined;
  const reopen = (): void => {
    opened = undefined;
  };
  const database = async (): Promise<IDBPDatabase> => {
    opened ??= openDB(name, VERSION, {
      upgrade: (fresh) => void fresh.createObjectStore(ENTRIES),
      // A second tab deletes or upgrades the database and waits until this connection is closed.
      blocking: () => {
        // Use index access, because programs that do not have the types of the DOM also compile
        // this source.
        void opened?.then((connection) => connection['close']());
        reopen();
      },
      terminated: reopen,
    });
    try {
      return await opened;
    } catch (error) {
      reopen();
      throw error;
    }
  };
  return {
    read: (key) => available(async () => (await database()).get(ENTRIES, key)),
    replace: (key, expected, next) =>
      available(async () => {
        const transaction = (await database()).transaction(ENTRIES, 'readwrite', {
          durability: 'strict',
        });
        const isExpected = (await transaction.store.get(key)) === expected;
        if (isExpected && next === undefined) void transaction.store.delete(key);
        else if (isExpected) void transaction.store.put(next, key);
        await transaction.done;
        return isExpected;
      }),
    keys: (prefix) =>
      available(async () => {
        const keys = await (await database()).getAllKeys(ENTRIES);
        return keys.map(String).filter((key) => key.startsWith(prefix));
      }),
  };
}

async function available<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw new WalletError('STORAGE_UNAVAILABLE', 'the browser’s storage does not work', { cause });
  }
}
