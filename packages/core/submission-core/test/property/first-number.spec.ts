import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { firstNotPassed } from '../../src/application/service/repeated-submissions.js';

describe('firstNotPassed', () => {
  it('firstNotPassed finds the first number for which the check returns false, with few calls of the check', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(100_000), fc.nat(100_000), async (start, distance) => {
        const end = start + distance;
        let questions = 0;
        const found = await firstNotPassed(start, async (number) => {
          questions += 1;
          return number < end;
        });
        expect(found).toBe(end);
        expect(questions).toBeLessThanOrEqual(2 * Math.log2(distance + 1) + 2);
      }),
    );
  });

  it('firstNotPassed never returns a number above the end of the search, even if the end changes during the search', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1_000),
        fc.array(fc.nat(3), { maxLength: 40 }),
        async (passed, growth) => {
          let end = passed;
          const steps = [...growth];
          const found = await firstNotPassed(0, async (number) => {
            const answer = number < end;
            end += steps.shift() ?? 0;
            return answer;
          });
          expect(found).toBeGreaterThanOrEqual(passed);
          expect(found).toBeLessThanOrEqual(end);
        },
      ),
    );
  });
});
