import { describe, expect, it } from '@jest/globals';
import { loopDelayOf } from '../../src/measure/loop-delay.js';

/** As a histogram answers, of looks in ascending order. */
const quantileOf = (looks: readonly number[]) => (percent: number) =>
  looks[Math.max(0, Math.ceil((percent / 100) * looks.length) - 1)] ?? 0;

describe('delays of an event loop', () => {
  it('are what is beyond the interval of looks', () => {
    expect(loopDelayOf(quantileOf([1, 1, 1, 5]), 1)).toEqual({
      p50Ms: 0,
      p99Ms: 4,
      timeP99Ms: 4,
      maxMs: 4,
    });
  });

  it('show a stall that is rare among looks and takes half of the time', () => {
    const looks = [...Array.from({ length: 999 }, () => 1), 999];
    expect(loopDelayOf(quantileOf(looks), 1)).toEqual({
      p50Ms: 0,
      p99Ms: 0,
      timeP99Ms: 998,
      maxMs: 998,
    });
  });
});
