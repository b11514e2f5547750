import { IDBDatabase, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { browserStorage } from '../../src/advanced.js';
import { codeOf } from '../support/code-of.js';
import { installIndexedDb } from '../support/install-indexeddb.js';

describe('browserStorage', () => {
  let factory: ReturnType<typeof installIndexedDb>;
  beforeEach(() => {
    factory = installIndexedDb();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('browserStorage stores wallets with different names separately', async () => {
    await browserStorage('one').replace('key', undefined, 'of one');
    expect(await browserStorage('two').read('key')).toBeUndefined();
  });

  it('browserStorage throws an error if the browser has no IndexedDB', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const storage = browserStorage('wallet');
    expect(await codeOf(() => storage.read('key'))).toBe('STORAGE_UNAVAILABLE');
    Reflect.set(globalThis, 'indexedDB', factory);
    expect(await storage.read('key')).toBeUndefined();
  });

  it('browserStorage rejects a write whose IndexedDB transaction the browser rolls back', async () => {
    const storage = browserStorage('wallet');
    await storage.replace('key', undefined, 'kept');
    const { put } = IDBObjectStore.prototype;
    jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: typeof IDBObjectStore.prototype,
      ...value: Parameters<typeof put>
    ) {
      const request = put.apply(this, value);
      // Simulates a full disk: the IndexedDB request succeeds, but the IndexedDB transaction fails.
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    });
    expect(await codeOf(() => storage.replace('key', 'kept', 'lost'))).toBe('STORAGE_UNAVAILABLE');
    jest.restoreAllMocks();
    expect(await storage.read('key')).toBe('kept');
  });

  it('browserStorage requests strict durability for its writes', async () => {
    const opened = jest.spyOn(IDBDatabase.prototype, 'transaction');
    await browserStorage('wallet').replace('key', undefined, 'kept');
    expect(opened).toHaveBeenCalledWith('entries', 'readwrite', { durability: 'strict' });
  });

  it('browserStorage is empty after a second tab has deleted the wallet’s database', async () => {
    const storage = browserStorage('wallet');
    await storage.replace('key', undefined, 'kept');
    await new Promise<void>((resolve, reject) => {
      const request = factory.deleteDatabase('wallet');
      request.addEventListener('success', () => resolve());
      request.addEventListener('error', () => reject(request.error));
    });
    expect(await storage.read('key')).toBeUndefined();
    expect(await storage.replace('key', undefined, 'new')).toBe(true);
  });
});
