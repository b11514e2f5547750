import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import {
  ShieldedPool,
  deriveNoteKeys,
  memoryStorage,
  nextNote,
  recoverNotes,
  type PoolView,
} from '../../src/advanced.js';
import { FakeNode, FakePoolContract, FakeSwapPoolContract } from '../../src/testing/index.js';
import { codeOf } from '../support/code-of.js';

const keys = deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index));
const CHAIN = '0x534e5f5345504f4c4941';
const NAME = { chainId: CHAIN, address: '0xabc' };
const noteAt = (pool: string, index: number) => keys.note({ chainId: CHAIN, pool, index });

/** Returns a pool whose only leaves are the notes with these indices. All leaves are active. */
function poolWith(indices: readonly number[], address = '0xabc'): PoolView {
  const leaves = indices.map((index) => noteAt(address, index).commitment);
  return {
    chainId: CHAIN,
    address,
    kind: 'shielded',
    blockTimeMs: 0,
    refresh: async () => {},
    placeOf: (commitment) => {
      const leafIndex = leaves.indexOf(commitment);
      return leafIndex === -1
        ? undefined
        : { leafIndex, batch: { start: leafIndex, size: 1 }, depositedAtMs: 0 };
    },
    path: () => {
      throw new Error('not needed');
    },
    spentBy: () => undefined,
  };
}

describe('recoverNotes', () => {
  it('recoverNotes finds waiting, active and spent notes of several pools', async () => {
    const node = new FakeNode(CHAIN);
    const [first, swaps] = [
      new FakePoolContract(node, '0xabc'),
      new FakeSwapPoolContract(node, '0xdef'),
    ];
    const [spent, active, waiting] = [0, 1, 4].map((index) => noteAt('0xabc', index));
    const swapped = noteAt('0xdef', 0);
    if (!spent || !active || !waiting) throw new Error('three notes');
    node.mine([
      first.deposit(77n),
      first.deposit(active.commitment),
      first.deposit(spent.commitment),
      first.deployBatch(3),
      first.deposit(waiting.commitment),
      first.withdraw(spent.nullifierHash),
      swaps.swap(swapped.commitment, 0xe7n, 5n),
    ]);
    const pools = [
      await ShieldedPool.open({ node, address: '0xabc' }),
      await ShieldedPool.open({ node, address: '0xdef', kind: 'swap' }),
    ];
    const [pool, swapPool] = pools;
    expect(await recoverNotes({ keys, pools })).toEqual([
      {
        pool,
        index: 0,
        note: spent,
        leafIndex: 2,
        status: 'spent',
        transactionHash: expect.stringMatching(/^0xb10c/),
      },
      {
        pool,
        index: 1,
        note: active,
        leafIndex: 1,
        status: 'active',
        batch: { start: 0, size: 3 },
      },
      { pool, index: 4, note: waiting, leafIndex: 3, status: 'waiting' },
      {
        pool: swapPool,
        index: 0,
        note: swapped,
        leafIndex: 0,
        status: 'active',
        batch: { start: 0, size: 1 },
      },
    ]);
  });

  it('recoverNotes finds deposits that were made after the pool object was created', async () => {
    const node = new FakeNode(CHAIN);
    const chain = new FakePoolContract(node, '0xabc');
    const pool = await ShieldedPool.open({ node, address: '0xabc' });
    node.mine([chain.deposit(noteAt('0xabc', 0).commitment)]);
    expect(await recoverNotes({ keys, pools: [pool] })).toHaveLength(1);
    node.breakDown();
    expect(await codeOf(() => recoverNotes({ keys, pools: [pool] }))).toBe('NODE_UNREACHABLE');
  });

  it('recoverNotes finds every used index if the gaps between them are shorter than the gap limit', async () => {
    const gaps = fc.array(fc.nat({ max: 19 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(gaps, async (unused) => {
        const indices = indicesAfter(unused);
        const found = await recoverNotes({ keys, pools: [poolWith(indices)] });
        expect(found.map(({ index }) => index)).toEqual(indices);
      }),
      { numRuns: 20 },
    );
  });

  it('recoverNotes finds no index after a gap that is as long as the gap limit', async () => {
    const within = fc
      .integer({ min: 1, max: 6 })
      .chain((gapLimit) =>
        fc.tuple(fc.constant(gapLimit), fc.array(fc.nat({ max: gapLimit - 1 }), { maxLength: 5 })),
      );
    await fc.assert(
      fc.asyncProperty(within, fc.nat({ max: 4 }), async ([gapLimit, unused], more) => {
        const indices = indicesAfter(unused);
        const [behind = 0] = indicesAfter([(indices.at(-1) ?? -1) + 1 + gapLimit + more]);
        const pools = [poolWith([...indices, behind])];
        const found = await recoverNotes({ keys, pools, gapLimit });
        expect(found.map(({ index }) => index)).toEqual(indices);
        const wider = await recoverNotes({ keys, pools, gapLimit: gapLimit + more + 1 });
        expect(wider.map(({ index }) => index)).toEqual([...indices, behind]);
      }),
      { numRuns: 30 },
    );
  });

  it('recoverNotes marks the indices of found notes as used', async () => {
    const [storage, pool] = [memoryStorage(), poolWith([0, 3, 7])];
    await recoverNotes({ keys, pools: [pool], storage });
    expect((await nextNote({ keys, pool, storage })).index).toBe(8);
  });

  it('recoverNotes does not reset indices that the storage has marked as used', async () => {
    const [storage, pool] = [memoryStorage(), poolWith([0])];
    for (let made = 0; made < 5; made += 1) await nextNote({ keys, pool: NAME, storage });
    await recoverNotes({ keys, pools: [pool], storage });
    expect((await nextNote({ keys, pool, storage })).index).toBe(5);
  });

  it('recoverNotes finds a note after a gap of any length if the storage has marked its index as used', async () => {
    const [storage, pool] = [memoryStorage(), poolWith([0, 29])];
    for (let made = 0; made < 30; made += 1) await nextNote({ keys, pool: NAME, storage });
    const indices = async (options: object) =>
      (await recoverNotes({ keys, pools: [pool], ...options })).map(({ index }) => index);
    expect(await indices({ storage })).toEqual([0, 29]);
    expect(await indices({})).toEqual([0]);
  });

  it('recoverNotes does not change the storage if it finds no note', async () => {
    const storage = memoryStorage();
    await recoverNotes({ keys, pools: [poolWith([])], storage });
    expect(await storage.keys('')).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 32])(
    'recoverNotes rejects a gap limit of %d',
    async (gapLimit) => {
      expect(await codeOf(() => recoverNotes({ keys, pools: [], gapLimit }))).toBe(
        'NOTE_INDEX_OUT_OF_RANGE',
      );
    },
  );
});

/**
 * Returns indices with gaps between them. Each item of `gaps` is the number of unused indices
 * before the next index.
 */
function indicesAfter(gaps: readonly number[]): number[] {
  let next = 0;
  return gaps.map((gap) => {
    next += gap + 1;
    return next - 1;
  });
}
