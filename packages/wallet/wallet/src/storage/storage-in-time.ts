import { WalletError } from '../errors.js';
import type { WalletStorage } from '../storage.js';

/** Timeout in ms of one call of a storage, which is shorter than the lease of a journey. */
const STORAGE_TIMEOUT_MS = 20_000;

/**
 * Returns the storage with a timeout for each call, and with checks of the answers' types. A write
 * that exceeds the timeout may still be made later. This is safe because every write names the text
 * that it replaces.
 * @throws WalletError from each method: STORAGE_UNAVAILABLE if the storage does not answer,
 *   STORAGE_MALFORMED for an answer of another type; any error of the storage
 */
export function storageInTime(storage: WalletStorage): WalletStorage {
  return {
    read: async (key) => {
      const text: unknown = await inTime(() => storage.read(key));
      if (text === undefined || typeof text === 'string') return text;
      throw malformed();
    },
    replace: async (key, expected, next) => {
      const isWritten: unknown = await inTime(() => storage.replace(key, expected, next));
      if (typeof isWritten === 'boolean') return isWritten;
      throw malformed();
    },
    keys: async (prefix) => {
      const keys: unknown = await inTime(() => storage.keys(prefix));
      if (Array.isArray(keys)) return keys.map(String).filter((key) => key.startsWith(prefix));
      throw malformed();
    },
  };
}

function malformed(): WalletError {
  return new WalletError('STORAGE_MALFORMED', 'the storage answers with a value of another type');
}

async function inTime<T>(use: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new WalletError('STORAGE_UNAVAILABLE', 'the storage does not answer')),
      STORAGE_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([use(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
