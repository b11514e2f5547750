import type { WalletStorage } from '../storage.js';
import type { TestRunner } from './test-runner.js';

export interface WalletStorageHarness {
  /**
   * Opens the storage as another tab would. The opened storage contains the writes of all other
   * tabs.
   */
  open(): Promise<WalletStorage>;
  stop(): Promise<void>;
}

/** Contract suite of every {@link WalletStorage}. `start` must create a storage without keys. */
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

    it('a new storage has no keys', async () => {
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('replaces a value that equals the expected value, and every tab then reads the new value', async () => {
      expect(await storage.replace('key', undefined, 'one')).toBe(true);
      expect(await storage.replace('key', 'one', 'two')).toBe(true);
      expect(await (await harness.open()).read('key')).toBe('two');
    });

    it('does not change a value that differs from the expected value', async () => {
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

    it('deletes a key if the new value is undefined', async () => {
      await storage.replace('key', undefined, 'one');
      expect(await storage.replace('key', 'one', undefined)).toBe(true);
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('distinguishes a stored empty text from a missing value', async () => {
      expect(await storage.replace('key', undefined, '')).toBe(true);
      expect(await storage.replace('key', undefined, 'other')).toBe(false);
      expect(await storage.read('key')).toBe('');
    });

    it('returns the keys that begin with a prefix, in ascending order', async () => {
      for (const key of ['b/2', 'a/1', 'b/10', 'b', 'c', 'b/é', 'b/\uffff'])
        await storage.replace(key, undefined, 'kept');
      expect(await storage.keys('b/')).toEqual(['b/10', 'b/2', 'b/é', 'b/\uffff']);
    });

    it('only one of several concurrent writes succeeds, even from different tabs', async () => {
      const tabs = [storage, await harness.open(), await harness.open()];
      const written = await Promise.all(
        [...tabs, ...tabs, ...tabs].map((tab, index) => tab.replace('key', undefined, `${index}`)),
      );
      expect(written.filter((isWritten) => isWritten)).toEqual([true]);
      expect(await storage.read('key')).toBe(`${written.indexOf(true)}`);
    });

    it('loses no increment if each concurrent writer retries after a rejected write', async () => {
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
