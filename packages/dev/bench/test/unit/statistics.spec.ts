import { describe, expect, it } from '@jest/globals';
import { durationsOf, roundsOf } from '../../src/measure/statistics.js';

describe('figures of several measurements', () => {
  it('are the median with the lowest and the highest, in whatever order they came', () => {
    expect(roundsOf([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30, rounds: [30, 10, 20] });
  });

  it('are percentiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(durationsOf(hundred)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99 });
    expect(durationsOf([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7 });
  });

  it('are not made of nothing', () => {
    expect(() => roundsOf([])).toThrow('nothing was measured');
  });
});
