import type { WalletStorage } from '../storage.js';
import type { TestRunner } from './test-runner.js';

export interface WalletStorageHarness {
  /**
   * Opens the storage as a second tab would. The opened storage contains everything that other tabs
   * have written.
   */
  open(): Promise<WalletStorage>;
  stop(): Promise<void>;
}

/**
 * Test suite that every {@link WalletStorage} must pass. `start` must create a storage without
 * keys.
 */
export function describeWalletStorageContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<WalletStorageHarness>,
): void {
  describe(`WalletStorage contract (${name})`, () => {
    let harness: WalletStorageHarness;
    let storage: WalletStorage;
    beforeEach(async () => {
      harness = await start();
      storage = await harness.open();
    });
    afterEach(async () => harness.stop());

    it('a new wallet storage has no keys', async () => {
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('the storage replaces a value only if the value equals the expected value', async () => {
      expect(await storage.replace('key', undefined, 'one')).toBe(true);
      expect(await storage.replace('key', 'one', 'two')).toBe(true);
      expect(await (await harness.open()).read('key')).toBe('two');
    });

    it('the storage does not replace a value that differs from the expected value', async () => {
      await storage.replace('key', undefined, 'one');
      expect(await storage.replace('key', undefined, 'other')).toBe(false);
      expect(await storage.replace('key', 'two', 'other')).toBe(false);
      expect(await storage.replace('key', 'two', undefined)).toBe(false);
      expect(await storage.replace('missing', 'one', 'other')).toBe(false);
      expect([await storage.read('key'), await storage.read('missing')]).toEqual([
        'one',
        undefined,
      ]);
    });

    it('the storage deletes a key if the new value is undefined', async () => {
      await storage.replace('key', undefined, 'one');
      expect(await storage.replace('key', 'one', undefined)).toBe(true);
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('the storage distinguishes an empty text from a missing value', async () => {
      expect(await storage.replace('key', undefined, '')).toBe(true);
      expect(await storage.replace('key', undefined, 'other')).toBe(false);
      expect(await storage.read('key')).toBe('');
    });

    it('the storage returns the keys with a given prefix, in ascending order', async () => {
      for (const key of ['b/2', 'a/1', 'b/10', 'b', 'c', 'b/é', 'b/\uffff'])
        await storage.replace(key, undefined, 'kept');
      expect(await storage.keys('b/')).toEqual(['b/10', 'b/2', 'b/é', 'b/\uffff']);
    });

    it('only one of several concurrent writes to a key of the storage succeeds, even from different tabs', async () => {
      const tabs = [storage, await harness.open(), await harness.open()];
      const written = await Promise.all(
        [...tabs, ...tabs, ...tabs].map((tab, index) => tab.replace('key', undefined, `${index}`)),
      );
      expect(written.filter((isWritten) => isWritten)).toEqual([true]);
      expect(await storage.read('key')).toBe(`${written.indexOf(true)}`);
    });

    it('no increment is lost if each concurrent writer retries a rejected write', async () => {
      const tabs = [storage, await harness.open(), await harness.open()];
      const countUp = async (tab: WalletStorage): Promise<void> => {
        const count = await tab.read('count');
        if (!(await tab.replace('count', count, `${Number(count ?? 0) + 1}`))) await countUp(tab);
      };
      await Promise.all(tabs.flatMap((tab) => [countUp(tab), countUp(tab), countUp(tab)]));
      expect(await storage.read('count')).toBe('9');
    });
  });
}
