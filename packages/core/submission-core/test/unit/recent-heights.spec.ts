import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@sotto/kernel/testing';
import { RecentHeights } from '../../src/application/lane/recent-heights.js';

describe('RecentHeights', () => {
  let clock: ManualClock;
  let heights: RecentHeights;
  beforeEach(() => {
    clock = new ManualClock(1_000);
    heights = new RecentHeights(clock);
  });
  const polls = (...numbers: readonly number[]): void => {
    for (const number of numbers) {
      clock.advance(500);
      heights.note(number);
    }
  };

  it('no height is known before the first poll', () => {
    expect([heights.highest, heights.reached]).toEqual([null, null]);
  });

  it('the height of the first poll counts for every decision', () => {
    polls(7);
    expect([heights.highest, heights.reached]).toEqual([7, 7]);
  });

  it('a lower height of a lagging node does not lower the highest height for a minute', () => {
    polls(100, 90, 91);
    expect(heights.highest).toBe(100);
    clock.advance(58_999);
    expect(heights.highest).toBe(100);
    clock.advance(1);
    expect(heights.highest).toBe(91);
  });

  it('a height that was read again counts from its last read', () => {
    polls(100, 90);
    clock.advance(59_000);
    polls(100);
    clock.advance(59_999);
    expect(heights.highest).toBe(100);
  });

  it('each of several lower heights counts for a minute', () => {
    polls(100);
    clock.advance(30_000);
    polls(95, 90);
    clock.advance(30_000);
    expect(heights.highest).toBe(95);
    polls(80);
    expect(heights.highest).toBe(95);
    clock.advance(30_000);
    expect(heights.highest).toBe(80);
  });

  it('the last height counts although its poll was long ago', () => {
    polls(100);
    clock.advance(600_000);
    expect(heights.highest).toBe(100);
    polls(50);
    expect(heights.highest).toBe(50);
  });

  it('a height is reached when two polls in a row have read it or a higher one', () => {
    polls(10, 1_000_000);
    expect(heights.reached).toBe(10);
    polls(11);
    expect(heights.reached).toBe(11);
    polls(12);
    expect(heights.reached).toBe(11);
    polls(12);
    expect(heights.reached).toBe(12);
  });

  it('a rollback lowers the reached height at once', () => {
    polls(20, 20, 15);
    expect(heights.reached).toBe(15);
  });

  it('the blocks that are left to send a call depend on the highest height or on the head', () => {
    const call = { deadlineBlock: 100 };
    expect(heights.fewestBlocksLeft(call, { blockNumber: 94 })).toBe('enough');
    expect(heights.fewestBlocksLeft(call, { blockNumber: 95 })).toBe('few');
    polls(100, 50);
    expect(heights.fewestBlocksLeft(call, { blockNumber: 50 })).toBe('none');
    expect(heights.fewestBlocksLeft(null, { blockNumber: 50 })).toBe('enough');
  });

  it('the blocks that are left until an attempt ends depend on the reached height', () => {
    const call = { deadlineBlock: 100 };
    expect(heights.mostBlocksLeft(call)).toBe('enough');
    polls(50, 100);
    expect(heights.mostBlocksLeft(call)).toBe('enough');
    polls(95);
    expect(heights.mostBlocksLeft(call)).toBe('few');
    polls(100, 100);
    expect(heights.mostBlocksLeft(call)).toBe('none');
  });
});
