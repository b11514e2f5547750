import { describe, expect, it } from '@jest/globals';
import { durationsOf, ratiosOf, roundsOf } from '../../src/report/statistics.js';

describe('figures of several measurements', () => {
  it('roundsOf computes median, minimum and maximum of repeated measurements in any order', () => {
    expect(roundsOf([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30, rounds: [30, 10, 20] });
  });

  it('ratiosOf divides each measurement of one subject by the measurement of the other subject in the same round', () => {
    expect(ratiosOf(roundsOf([10, 30]), roundsOf([5, 10]))).toEqual(roundsOf([2, 3]));
    expect(() => ratiosOf(roundsOf([1]), roundsOf([1, 2]))).toThrow('in turns');
  });

  it('percentiles are computed by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(durationsOf(hundred)).toEqual({
      count: 100,
      min: 1,
      max: 100,
      p50: 50,
      p95: 95,
      p99: 99,
    });
    expect(durationsOf([7])).toEqual({ count: 1, min: 7, max: 7, p50: 7, p95: 7, p99: 7 });
  });

  it('statistics of an empty list throw an error', () => {
    expect(() => roundsOf([])).toThrow('nothing was measured');
  });
});
