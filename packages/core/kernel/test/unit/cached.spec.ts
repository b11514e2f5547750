import { describe, expect, it } from '@jest/globals';
import { Cached, FAILURE_FRESH_MS, type CachedSettings } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const FRESH_MS = 100;
const STALE_MS = 1_000;

/**
 * Source whose reads end only when a test ends them. Without another value, the result of a read is
 * its number.
 */
class Source {
  readonly #open: { readonly resolve: (value: number) => void; reject: (error: Error) => void }[] =
    [];
  reads = 0;

  readonly read = async (): Promise<number> => {
    this.reads += 1;
    return new Promise((resolve, reject) => this.#open.push({ resolve, reject }));
  };

  end(read: number, value = read): void {
    this.#open[read - 1]?.resolve(value);
  }

  fail(read: number): void {
    this.#open[read - 1]?.reject(new Error(`read ${read} failed`));
  }
}

function aCache(settings: Partial<CachedSettings<number>> = {}) {
  const clock = new ManualClock();
  const source = new Source();
  const cache = new Cached<number>({ clock, freshMs: FRESH_MS, ...settings });
  const get = (key = 'a', version?: string): Promise<number> =>
    cache.get(key, source.read, version);
  const known = async (key = 'a'): Promise<void> => {
    const value = get(key);
    source.end(source.reads);
    await value;
  };
  return { clock, source, cache, get, known };
}

const add = async (previous: number | undefined): Promise<number> => (previous ?? 0) + 1;

describe('Cached', () => {
  it('concurrent requests share one read, which starts synchronously with the first request', async () => {
    const { source, get } = aCache();
    const all = Promise.all([get(), get(), get()]);
    expect(source.reads).toBe(1);
    source.end(1);
    expect(await all).toEqual([1, 1, 1]);
  });

  it('the fresh time of a value can be configured to begin at the end of its read', async () => {
    const { clock, source, get } = aCache({ countedFrom: 'end' });
    const slow = get();
    clock.advance(10 * FRESH_MS);
    source.end(1);
    await slow;
    clock.advance(FRESH_MS - 1);
    expect(await get()).toBe(1);
    clock.advance(1);
    void get();
    expect(source.reads).toBe(2);
  });

  it('returns a cached value until its fresh time after the start of its read is over', async () => {
    const { clock, source, get } = aCache();
    const slow = get();
    clock.advance(40);
    source.end(1);
    await slow;
    clock.advance(FRESH_MS - 41);
    expect(await get()).toBe(1);
    clock.advance(1);
    const next = get();
    source.end(2);
    expect(await next).toBe(2);
  });

  it('measures the age of values by the monotonic clock only', async () => {
    const { clock, source, get, known } = aCache();
    await known();
    clock.step(3_600_000);
    await get();
    expect(source.reads).toBe(1);
  });

  it('a failed read rejects all waiting callers and is not cached', async () => {
    const { source, get } = aCache();
    const shared = [get(), get()];
    source.fail(1);
    for (const one of shared) await expect(one).rejects.toThrow('read 1 failed');
    const next = get();
    source.end(2);
    expect(await next).toBe(2);
  });

  it('rejects if the read function throws synchronously, and reads again for the next caller', async () => {
    const { cache } = aCache();
    const bug = new TypeError('no such thing');
    const broken = (): Promise<number> => {
      throw bug;
    };
    await expect(cache.get('a', broken)).rejects.toBe(bug);
    expect(await cache.get('a', async () => 7)).toBe(7);
  });

  it('a value that reports a failure is cached for FAILURE_FRESH_MS instead of the usual time', async () => {
    const { clock, source, get } = aCache({
      freshMs: (value) => (value < 0 ? FAILURE_FRESH_MS : FRESH_MS),
    });
    const first = get();
    source.end(1, -1);
    expect(await first).toBe(-1);
    clock.advance(FAILURE_FRESH_MS - 1);
    expect(await get()).toBe(-1);
    clock.advance(1);
    void get();
    expect(source.reads).toBe(2);
  });

  it('returns a stale value at once while a single read in the background replaces it', async () => {
    const { clock, source, get, known } = aCache({ staleMs: STALE_MS });
    await known();
    clock.advance(FRESH_MS);
    expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
    expect(source.reads).toBe(2);
    source.end(2);
    await new Promise(setImmediate);
    expect(await get()).toBe(2);
  });

  it('returns the stale value until its expiry while refreshes fail', async () => {
    const { clock, source, get, known } = aCache({ staleMs: STALE_MS });
    await known();
    clock.advance(FRESH_MS);
    await get();
    source.fail(2);
    await new Promise(setImmediate);
    clock.advance(FRESH_MS - 1);
    expect(await get()).toBe(1);
    expect(source.reads).toBe(2);
    clock.advance(1);
    expect(await get()).toBe(1);
    source.fail(3);
    await new Promise(setImmediate);
    clock.advance(STALE_MS - 2 * FRESH_MS);
    const expired = get();
    source.fail(4);
    await expect(expired).rejects.toThrow('read 4 failed');
  });

  it('caches one version of each key', async () => {
    const { cache } = aCache({ freshMs: Infinity });
    const get = (key: string, version: number, value: number) =>
      cache.get(key, async () => value, version);
    expect([await get('a', 1, 11), await get('b', 1, 21), await get('a', 1, 0)]).toEqual([
      11, 21, 11,
    ]);
    expect(await get('a', 2, 12)).toBe(12);
    // Version 1 was replaced, so a request for version 1 reads again.
    expect([cache.peek('a', 1), await get('a', 1, 13)]).toEqual([undefined, 13]);
    expect(cache.peek('b', 1)).toBe(21);
  });

  it('does not replace a cached value with a newer value that must not be cached', async () => {
    const { clock, source, cache, get, known } = aCache({
      freshMs: (value) => (value < 0 ? 0 : FRESH_MS),
      staleMs: (value) => (value < 0 ? 0 : STALE_MS),
    });
    await known();
    clock.advance(FRESH_MS);
    await get();
    source.end(2, -1);
    await new Promise(setImmediate);
    expect(cache.peek('a')).toBe(1);
  });

  it('passes the previously cached value to a read, even if the value has expired', async () => {
    const { clock, cache } = aCache();
    await cache.get('a', add);
    clock.advance(10 * FRESH_MS);
    expect(await cache.get('a', add)).toBe(2);
    cache.delete('a');
    expect(await cache.get('a', add)).toBe(1);
  });

  it('removes the value with the oldest read if the maximum number of values is exceeded', async () => {
    const { clock, source, cache, get, known } = aCache({ staleMs: STALE_MS, maxEntries: 2 });
    for (const key of ['a', 'b']) await known(key);
    clock.advance(FRESH_MS);
    await get('a');
    source.end(3);
    await new Promise(setImmediate);
    await known('c');
    expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual([3, undefined, 4]);
  });

  it('does not cache a read that began before an invalidation of its key', async () => {
    for (const invalidate of ['delete', 'clear'] as const) {
      const { source, cache, get } = aCache();
      const before = get();
      cache[invalidate]('a');
      const after = get();
      source.end(1);
      expect(await before).toBe(1);
      const shared = get();
      source.end(2);
      expect([await after, await shared, await get()]).toEqual([2, 2, 2]);
    }
  });

  it('does not cache a read that began before the read of the cached value', async () => {
    const { source, cache, get } = aCache();
    const older = get('a', 'one');
    const newer = get('a', 'two');
    source.end(2);
    await newer;
    source.end(1);
    expect(await older).toBe(1);
    expect([cache.peek('a', 'one'), cache.peek('a', 'two')]).toEqual([undefined, 2]);
  });
});
