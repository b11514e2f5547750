import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import type { BlockRef, ChainEvidence } from '../../src/index.js';
import { KnownChain } from '../../src/application/lane/known-chain.js';

const block = (number: number, fork = 1): BlockRef => ({
  number,
  hash: toFelt(BigInt(fork * 100_000 + number)),
});
const upTo = (first: BlockRef, ...shown: readonly BlockRef[]): ChainEvidence => ({
  first,
  last: first,
  blocks: new Map([...shown, first].map(({ number, hash }) => [number, hash])),
  l1BlockNumber: null,
});

describe('KnownChain', () => {
  let known: KnownChain;
  beforeEach(() => {
    known = new KnownChain();
    known.extend(upTo(block(20), block(5), block(12)), [block(5), block(12)]);
  });

  it('KnownChain contains the blocks and the head that a read of evidence has returned', () => {
    expect([known.has(block(5)), known.has(block(12)), known.has(block(13))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(known.has(block(5, 2))).toBe(false);
    expect([known.upTo(11), known.upTo(19), known.upTo(99), known.upTo(4)]).toEqual([
      block(5),
      block(12),
      block(20),
      null,
    ]);
  });

  it('KnownChain adds the blocks of a later read if the read returned the highest known block', () => {
    known.extend(upTo(block(30), block(20), block(25)), [block(25), block(26)]);
    expect([known.has(block(25)), known.has(block(26)), known.upTo(99)]).toEqual([
      true,
      false,
      block(30),
    ]);
  });

  it.each<[string, ChainEvidence]>([
    ['does not show its highest block', upTo(block(30), block(25))],
    ['has another block at that height', upTo(block(30), block(20, 2), block(25))],
    ['is of a head below it', upTo(block(18), block(12), block(17))],
    ['is void', { ...upTo(block(30), block(20), block(25)), first: block(31) }],
  ])('KnownChain does not add the blocks of a read that %s', (_what, evidence) => {
    known.extend(evidence, [block(25), block(17)]);
    expect([known.has(block(25)), known.has(block(17)), known.upTo(99)]).toEqual([
      false,
      false,
      block(20),
    ]);
  });

  it('an undone block is detected at the highest known block that is not above the node’s head', () => {
    expect(known.undoneBy(upTo(block(22, 2), block(20, 2)))).toEqual(block(20));
    expect(known.undoneBy(upTo(block(14, 2), block(12, 2)))).toEqual(block(12));
    expect(known.undoneBy(upTo(block(14, 2), block(12)))).toBeNull();
    expect(known.undoneBy(upTo(block(14, 2), block(5, 2)))).toBeNull();
    expect(known.undoneBy(upTo(block(3, 2)))).toBeNull();
  });

  it('KnownChain contains no blocks after it was cleared', () => {
    known.forget();
    expect([known.has(block(5)), known.upTo(99)]).toEqual([false, null]);
    known.extend(upTo(block(9, 2), block(5)), [block(5)]);
    expect([known.has(block(5)), known.upTo(99)]).toEqual([true, block(9, 2)]);
  });

  it('KnownChain stores enough heads to find the fork of a chain', () => {
    for (let head = 21; head < 200; head += 1) known.extend(upTo(block(head), block(head - 1)), []);
    expect([known.upTo(136), known.upTo(135)]).toEqual([block(136), block(12)]);
    const many = Array.from({ length: 10_000 }, (_, index) => block(300 + index));
    const [last = block(199)] = many.slice(-1);
    known.extend(upTo(last, block(199), ...many), many);
    expect([known.has(block(5)), known.has(block(300))]).toEqual([false, true]);
  });
});
