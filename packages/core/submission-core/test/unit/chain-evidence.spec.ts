import { describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import {
  confirms,
  contradicts,
  isOnL1,
  isValid,
  type BlockRef,
  type ChainEvidence,
} from '../../src/index.js';

const felt = (fork: number, number: number): Felt => toFelt(BigInt(fork * 1_000 + number));
/** Returns a block of fork 1, which most tests share, or of another fork. */
const block = (number: number, fork = 1): BlockRef => ({ number, hash: felt(fork, number) });

const evidence = (
  first: BlockRef,
  last: BlockRef,
  shown: readonly BlockRef[],
  l1BlockNumber: number | null = null,
): ChainEvidence => ({
  first,
  last,
  blocks: new Map(shown.map(({ number, hash }) => [number, hash])),
  l1BlockNumber,
});

describe('evidence between two heads', () => {
  const good = evidence(block(10), block(12), [block(5), block(7, 2), block(10)], 6);

  it('evidence is valid if the last head is a descendant of the first head', () => {
    expect(isValid(good)).toBe(true);
    expect(isValid(evidence(block(10), block(10), [block(10)]))).toBe(true);
  });

  it.each<[string, ChainEvidence]>([
    ['another block is at the first head’s height', evidence(block(10), block(12), [block(10, 2)])],
    ['no block is at the first head’s height', evidence(block(10), block(12), [block(5)])],
    ['the last head is below the first', evidence(block(10), block(9), [block(9), block(10)])],
    ['it has two blocks of one height', evidence(block(10), block(12, 2), [block(10), block(12)])],
    ['both heads are of one height and two forks', evidence(block(10), block(10, 2), [block(10)])],
  ])('evidence confirms and contradicts no block if %s', (_what, void_) => {
    const shown = {
      ...void_,
      blocks: new Map([...void_.blocks, [5, felt(1, 5)]]),
      l1BlockNumber: 9,
    };
    expect(isValid(shown)).toBe(false);
    expect(confirms(shown, block(5))).toBe(false);
    expect(contradicts(shown, block(5, 2))).toBe(false);
    expect(isOnL1(shown, block(5))).toBe(false);
  });

  it('evidence contradicts a block if it contains another block at the same height', () => {
    expect([confirms(good, block(5)), contradicts(good, block(5))]).toEqual([true, false]);
    expect([confirms(good, block(7)), contradicts(good, block(7))]).toEqual([false, true]);
    expect(confirms(good, block(10))).toBe(true);
  });

  it('evidence proves nothing about a height that was not read', () => {
    expect([confirms(good, block(6)), contradicts(good, block(6, 2))]).toEqual([false, false]);
  });

  it('evidence proves nothing about a block above the first head, even if the last head is higher', () => {
    const above = evidence(block(10), block(12), [block(10), block(11), block(12)], 12);
    expect(confirms(above, block(11))).toBe(false);
    expect(contradicts(above, block(11, 2))).toBe(false);
    expect(isOnL1(above, block(12))).toBe(false);
  });

  it('evidence proves that a block is at L1 only if the evidence confirms the block', () => {
    expect(isOnL1(good, block(5))).toBe(true);
    expect(isOnL1(good, block(5, 2))).toBe(false);
    expect(isOnL1(good, block(10))).toBe(false);
    expect(isOnL1({ ...good, l1BlockNumber: 5 }, block(5))).toBe(true);
    expect(isOnL1({ ...good, l1BlockNumber: 4 }, block(5))).toBe(false);
    expect(isOnL1({ ...good, l1BlockNumber: null }, block(5))).toBe(false);
  });

  it('evidence proves no block at L1 if the L1 height is unknown, not even the genesis block', () => {
    const genesis = evidence(block(10), block(12), [block(0), block(10)]);
    expect(isOnL1({ ...genesis, l1BlockNumber: 0 }, block(0))).toBe(true);
    expect(isOnL1(genesis, block(0))).toBe(false);
  });

  it('evidence proves no block at L1 if its L1 height is above its head', () => {
    const { number } = good.last;
    expect(isOnL1({ ...good, l1BlockNumber: number }, block(5))).toBe(true);
    expect(isOnL1({ ...good, l1BlockNumber: number + 1 }, block(5))).toBe(false);
  });
});
