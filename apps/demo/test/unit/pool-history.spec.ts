import { describe, expect, it } from '@jest/globals';
import { batchOf, batchWith, leavesOf } from '../../src/wallet/pool-history.js';

const deposit = (leafIndex: bigint, low: bigint, high: bigint) => ({
  keys: [0xdn, low, high],
  data: [leafIndex, 1_700_000_000n],
});

describe('leavesOf', () => {
  it('orders commitments by leaf index and joins their halves', () => {
    expect(leavesOf([deposit(1n, 7n, 0n), deposit(0n, 1n, 2n)])).toEqual([
      2n * 2n ** 128n + 1n,
      7n,
    ]);
  });

  it('is empty for a pool without deposits', () => {
    expect(leavesOf([])).toEqual([]);
  });

  it('refuses a history with a gap', () => {
    expect(() => leavesOf([deposit(0n, 1n, 0n), deposit(2n, 3n, 0n)])).toThrow('leaf 1');
  });

  it('refuses an event that is too short', () => {
    expect(() => leavesOf([{ keys: [0xdn, 1n], data: [0n] }])).toThrow('shorter');
  });
});

describe('batchWith', () => {
  const batches = [
    batchOf({ keys: [0xbn, 0n], data: [0n, 3n, 60_000n, 0n] }),
    batchOf({ keys: [0xbn, 1n], data: [3n, 5n, 100_000n, 0n] }),
  ];

  it.each([
    [0, { start: 0, size: 3 }],
    [2, { start: 0, size: 3 }],
    [3, { start: 3, size: 5 }],
    [7, { start: 3, size: 5 }],
  ])('finds the batch of leaf %d', (leafIndex, batch) => {
    expect(batchWith(leafIndex, batches)).toEqual(batch);
  });

  it.each([-1, 8])('finds none for leaf %d', (leafIndex) => {
    expect(batchWith(leafIndex, batches)).toBeUndefined();
  });
});
