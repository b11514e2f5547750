import { describe, expect, it } from '@jest/globals';

import { deriveNoteKeys, memoryStorage, nextNote, type WalletStorage } from '../../src/advanced.js';
import { codeOf } from '../support/code-of.js';

const keys = deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index));
const pool = { chainId: '0x534e5f4d41494e', address: '0xabc' };
const KEY = 'sotto/used-notes/0x534e5f4d41494e/0xabc';

describe('nextNote', () => {
  it('nextNote returns the notes of consecutive indices from 0', async () => {
    const storage = memoryStorage();
    const notes = [
      await nextNote({ keys, pool, storage }),
      await nextNote({ keys, pool, storage }),
    ];
    expect(notes.map(({ index }) => index)).toEqual([0, 1]);
    expect(notes[1]?.note).toEqual(
      keys.note({ chainId: pool.chainId, pool: pool.address, index: 1 }),
    );
  });

  it('nextNote counts note indices separately per pool and chain, regardless of the address format', async () => {
    const storage = memoryStorage();
    await nextNote({ keys, pool, storage });
    const others = [
      { ...pool, address: '0xabd' },
      { ...pool, chainId: '0x1' },
      { ...pool, address: '0x0ABC' },
    ];
    const indices = [];
    for (const other of others)
      indices.push((await nextNote({ keys, pool: other, storage })).index);
    expect(indices).toEqual([0, 0, 1]);
  });

  it('concurrent calls of nextNote never return the same index', async () => {
    const storage = slow(memoryStorage());
    const notes = await Promise.all(
      Array.from({ length: 20 }, () => nextNote({ keys, pool, storage })),
    );
    expect(notes.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it('nextNote stores the index before it returns the note', async () => {
    const kept = memoryStorage();
    const lost = new Error('the tab is closed');
    const storage: WalletStorage = {
      ...kept,
      replace: async (...change) => {
        await kept.replace(...change);
        throw lost;
      },
    };
    await expect(nextNote({ keys, pool, storage })).rejects.toBe(lost);
    expect((await nextNote({ keys, pool, storage: kept })).index).toBe(1);
  });

  it('nextNote skips notes that are already leaves of the pool', async () => {
    const leaves = [0, 1, 3].map(
      (index) => keys.note({ chainId: pool.chainId, pool: pool.address, index }).commitment,
    );
    const known = {
      ...pool,
      placeOf: (commitment: bigint) =>
        leaves.includes(commitment)
          ? { leafIndex: 0, batch: undefined, depositedAtMs: 0 }
          : undefined,
    };
    const storage = memoryStorage();
    const indices = [];
    for (let made = 0; made < 3; made += 1)
      indices.push((await nextNote({ keys, pool: known, storage })).index);
    expect(indices).toEqual([2, 4, 5]);
  });

  it.each(['', '-1', '1.5', '01', ' 1', '4294967297', '{}'])(
    'nextNote rejects the malformed stored index "%s" instead of starting from 0',
    async (text) => {
      const storage = memoryStorage();
      await storage.replace(KEY, undefined, text);
      expect(await codeOf(() => nextNote({ keys, pool, storage }))).toBe('STORAGE_MALFORMED');
    },
  );

  it('nextNote throws after the last possible index', async () => {
    const storage = memoryStorage();
    await storage.replace(KEY, undefined, `${2 ** 32 - 1}`);
    expect((await nextNote({ keys, pool, storage })).index).toBe(2 ** 32 - 1);
    expect(await codeOf(() => nextNote({ keys, pool, storage }))).toBe('NOTE_INDEX_OUT_OF_RANGE');
  });
});

async function later<T>(answer: Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return answer;
}

/**
 * Delays every response of the storage by some ticks. So a value that a caller read may be outdated
 * when the caller writes.
 */
function slow(storage: WalletStorage): WalletStorage {
  return {
    read: (key) => later(storage.read(key)),
    replace: (...change) => later(storage.replace(...change)),
    keys: (prefix) => later(storage.keys(prefix)),
  };
}
