import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { Journal, LEASE_MS, type JournalRun, type WalletStorage } from '../../src/advanced.js';
import type { WebLocks } from '../../src/journeys/web-locks.js';
import { codeOf } from '../support/code-of.js';
import { MemoryStorage } from '../support/memory-storage.js';

interface Entry {
  readonly step: number;
}
const never = new AbortController().signal;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function journalOn(storage: WalletStorage, locks: WebLocks | null = null): Journal<Entry> {
  return new Journal<Entry>(storage, 'test', { locks });
}

/**
 * Returns the result of a promise, or undefined if the promise is still pending after `ms`
 * milliseconds.
 */
async function after<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let outcome: T | undefined;
  const watched = promise.then((value) => (outcome = value));
  watched.catch(() => undefined);
  await jest.advanceTimersByTimeAsync(ms);
  return outcome;
}

/** Fake Web Locks, shared by all tabs of one browser. */
class OneBrowser implements WebLocks {
  #turn: Promise<unknown> = Promise.resolve();
  async request(_name: string, _options: object, work: () => Promise<void>): Promise<unknown> {
    const mine = this.#turn.then(work);
    this.#turn = mine;
    return mine;
  }
}

describe('a journal', () => {
  it('a journal stores the first entry of a resumable wallet operation and each later entry', async () => {
    const journal = journalOn(new MemoryStorage());
    expect(await journal.begin('a', { step: 1 })).toEqual({ step: 1 });
    expect(await journal.begin('a', { step: 9 })).toEqual({ step: 1 });
    const run = await journal.take('a', { signal: never });
    await run.write({ step: 2 });
    expect(run.entry).toEqual({ step: 2 });
    expect(await journal.read('a')).toEqual({ step: 2 });
    await journal.begin('b', { step: 5 });
    expect(await journal.list()).toEqual([
      { id: 'a', entry: { step: 2 } },
      { id: 'b', entry: { step: 5 } },
    ]);
    await run.release();
  });

  it('a journal rejects the id of an unknown operation', async () => {
    const storage = new MemoryStorage();
    const journal = journalOn(storage);
    expect(await codeOf(() => journal.take('a', { signal: never }))).toBe('JOURNEY_UNKNOWN');
    for (const [index, text] of ['', '{}', '{"format":2,"revision":0,"entry":{}}'].entries()) {
      await storage.replace(`sotto/test/${index}`, undefined, text);
      expect(await codeOf(() => journal.read(String(index)))).toBe('JOURNAL_UNREADABLE');
    }
  });

  it('a resumable wallet operation has only one runner at a time', async () => {
    const storage = new MemoryStorage();
    await journalOn(storage).begin('a', { step: 1 });
    const first = await journalOn(storage).take('a', { signal: never });
    const onWait = jest.fn();
    const second = journalOn(storage).take('a', { signal: never, onWait });
    expect(await after(10 * LEASE_MS, second)).toBeUndefined();
    expect(onWait).toHaveBeenCalledTimes(1);
    await first.write({ step: 2 });
    await first.release();
    expect((await after(1_000, second))?.entry).toEqual({ step: 2 });
    await (await second).release();
  });

  it('a second runner gets a wallet operation when the first runner’s lease expires', async () => {
    const storage = new MemoryStorage();
    await journalOn(storage).begin('a', { step: 1 });
    const first = await journalOn(storage).take('a', { signal: never });
    // With its timers stopped, the first runner behaves like a suspended tab.
    jest.clearAllTimers();
    const second = await after(LEASE_MS + 1_000, journalOn(storage).take('a', { signal: never }));
    await second?.write({ step: 2 });
    expect(await codeOf(() => first.write({ step: 7 }))).toBe('JOURNEY_TAKEN');
    expect(first.lost.aborted).toBe(true);
    await first.release();
    await second?.write({ step: 3 });
    expect(await journalOn(storage).read('a')).toEqual({ step: 3 });
    await second?.release();
  });

  it('a second runner gets a wallet operation at once if the first runner’s Web Lock is free', async () => {
    const storage = new MemoryStorage();
    await journalOn(storage).begin('a', { step: 1 });
    // The tab of the first runner was closed. The browser has released the lock, but the lease is
    // still stored.
    await journalOn(storage, new OneBrowser()).take('a', { signal: never });
    const second = await after(
      0,
      journalOn(storage, new OneBrowser()).take('a', { signal: never }),
    );
    expect(second?.entry).toEqual({ step: 1 });
  });

  it('a journal does not use Web Locks in Node, because Node’s processes do not share them', async () => {
    const storage = new MemoryStorage();
    const request = jest.fn<WebLocks['request']>();
    const ofNode = { userAgent: 'Node.js/24', locks: { request } };
    jest.replaceProperty(globalThis, 'navigator', Object(ofNode));
    const journal = new Journal<Entry>(storage, 'test');
    await journal.begin('a', { step: 1 });
    const run = await journal.take('a', { signal: never });
    expect(request).not.toHaveBeenCalled();
    await run.release();
    jest.restoreAllMocks();
  });

  it('the runner of a wallet operation releases the Web Lock after its run', async () => {
    const storage = new MemoryStorage();
    const browser = new OneBrowser();
    await journalOn(storage).begin('a', { step: 1 });
    const first = await journalOn(storage, browser).take('a', { signal: never });
    const onWait = jest.fn();
    const second = journalOn(storage, browser).take('a', { signal: never, onWait });
    expect(await after(10 * LEASE_MS, second)).toBeUndefined();
    expect(onWait).toHaveBeenCalledTimes(1);
    await first.release();
    expect((await after(0, second))?.entry).toEqual({ step: 1 });
    await (await second).release();
  });

  it('only one of several runners that start at the same time gets the wallet operation', async () => {
    const storage = new MemoryStorage();
    await journalOn(storage).begin('a', { step: 1 });
    const taken: JournalRun<Entry>[] = [];
    for (let tab = 0; tab < 5; tab++)
      void journalOn(storage)
        .take('a', { signal: never })
        .then((run) => taken.push(run));
    await jest.advanceTimersByTimeAsync(3 * LEASE_MS);
    expect(taken).toHaveLength(1);
  });

  it('the runner of a wallet operation can continue after the storage threw an error for a stored entry', async () => {
    class Throwing extends MemoryStorage {
      throws = false;
      override async replace(key: string, expected?: string, next?: string): Promise<boolean> {
        const isWritten = await super.replace(key, expected, next);
        if (this.throws) throw new Error('the answer was lost');
        return isWritten;
      }
    }
    const storage = new Throwing();
    const journal = journalOn(storage);
    await journal.begin('a', { step: 1 });
    const run = await journal.take('a', { signal: never });
    storage.throws = true;
    await expect(run.write({ step: 2 })).rejects.toThrow('the answer was lost');
    storage.throws = false;
    await run.write({ step: 3 });
    expect(await journal.read('a')).toEqual({ step: 3 });
    await run.release();
  });
});
