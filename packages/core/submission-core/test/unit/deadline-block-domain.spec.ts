import { describe, expect, it } from '@jest/globals';
import { blocksLeft, endsEarlier } from '../../src/domain/deadline-block.js';

const at = (deadlineBlock: number | null): { readonly deadlineBlock: number | null } => ({
  deadlineBlock,
});

describe('blocks that are left for a call', () => {
  it.each([
    [94, 'enough'],
    [95, 'few'],
    [99, 'few'],
    [100, 'none'],
    [101, 'none'],
  ] as const)('a head at height %i leaves a call with last block 100 %s blocks', (head, left) => {
    expect(blocksLeft(at(100), head)).toBe(left);
  });

  it('a call without a last block always has enough blocks left', () => {
    expect(blocksLeft(at(null), 10 ** 9)).toBe('enough');
  });

  it.each([
    [100, 101, true],
    [100, 100, false],
    [101, 100, false],
    [100, null, true],
    [null, 100, false],
    [null, null, false],
  ])('a call until block %s ends earlier than one until block %s: %s', (newer, current, is) => {
    expect(endsEarlier(at(newer), at(current))).toBe(is);
  });
});
