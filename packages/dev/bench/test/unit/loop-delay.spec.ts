import { describe, expect, it } from '@jest/globals';
import { loopDelayOf } from '../../src/measure/loop-delay.js';

/** Returns percentiles of samples that are in ascending order, as a histogram does. */
const quantileOf = (looks: readonly number[]) => (percent: number) =>
  looks[Math.max(0, Math.ceil((percent / 100) * looks.length) - 1)] ?? 0;

describe('loopDelayOf', () => {
  it('loopDelayOf subtracts the sampling interval from each delay', () => {
    expect(loopDelayOf(quantileOf([1, 1, 1, 5]), 1)).toEqual({
      p50Ms: 0,
      p99Ms: 4,
      timeP99Ms: 4,
      maxMs: 4,
    });
  });

  it('timeP99Ms includes one rare stall that fills half of the measured time, although p99Ms is 0', () => {
    const looks = [...Array.from({ length: 999 }, () => 1), 999];
    expect(loopDelayOf(quantileOf(looks), 1)).toEqual({
      p50Ms: 0,
      p99Ms: 0,
      timeP99Ms: 998,
      maxMs: 998,
    });
  });
});
