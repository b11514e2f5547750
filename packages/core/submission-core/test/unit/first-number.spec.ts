import { describe, expect, it } from '@jest/globals';
import { firstNotPassed } from '../../src/application/service/repeated-submissions.js';

describe('first number that has not passed', () => {
  it.each([
    ['the start if none has passed', 7, 7, [7]],
    ['the one above the only one that has passed', 7, 8, [7, 8]],
    ['found in steps that double until one is too far, then by halves', 0, 5, [0, 1, 3, 7, 5, 4]],
    ['the last possible one, if all below have passed', 0, 6, [0, 1, 3, 7, 5, 6]],
  ] as const)(
    'firstNotPassed returns the first number for which the check returns false: %s',
    async (_what, start, end, numbers) => {
      const requested: number[] = [];
      const found = await firstNotPassed(start, async (number) => {
        requested.push(number);
        return number < end;
      });
      expect([found, requested]).toEqual([end, numbers]);
    },
  );
});
