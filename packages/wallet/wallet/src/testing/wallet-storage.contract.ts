import type { WalletStorage } from '../storage.js';
import type { TestRunner } from './test-runner.js';

export interface WalletStorageHarness {
  /** Opens the storage as another tab: it contains the writes of all others. */
  open(): Promise<WalletStorage>;
  stop(): Promise<void>;
}

/** Contract suite of every {@link WalletStorage}; `start` creates an empty one. */
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

    it('has nothing at first', async () => {
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('writes where what is kept is as expected, and reads it in every tab', async () => {
      expect(await storage.replace('key', undefined, 'one')).toBe(true);
      expect(await storage.replace('key', 'one', 'two')).toBe(true);
      expect(await (await harness.open()).read('key')).toBe('two');
    });

    it('leaves everything as it is where something else is kept', async () => {
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

    it('deletes', async () => {
      await storage.replace('key', undefined, 'one');
      expect(await storage.replace('key', 'one', undefined)).toBe(true);
      expect(await storage.read('key')).toBe(undefined);
      expect(await storage.keys('')).toEqual([]);
    });

    it('keeps an empty text apart from nothing', async () => {
      expect(await storage.replace('key', undefined, '')).toBe(true);
      expect(await storage.replace('key', undefined, 'other')).toBe(false);
      expect(await storage.read('key')).toBe('');
    });

    it('gives the keys that begin with a text, in order', async () => {
      for (const key of ['b/2', 'a/1', 'b/10', 'b', 'c', 'b/é', 'b/\uffff'])
        await storage.replace(key, undefined, 'kept');
      expect(await storage.keys('b/')).toEqual(['b/10', 'b/2', 'b/é', 'b/\uffff']);
    });

    it('lets one of many at once win, whichever tabs they are in', async () => {
      const tabs = [storage, await harness.open(), await harness.open()];
      const written = await Promise.all(
        [...tabs, ...tabs, ...tabs].map((tab, index) => tab.replace('key', undefined, `${index}`)),
      );
      expect(written.filter((isWritten) => isWritten)).toEqual([true]);
      expect(await storage.read('key')).toBe(`${written.indexOf(true)}`);
    });

    it('counts every change of many at once that begin again where they lost', async () => {
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
