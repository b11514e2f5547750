import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { continueStreak, type Streak } from '../../src/index.js';

const GAP = 10;
const moments = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1 });

describe('continueStreak', () => {
  it('a streak of checks begins after the last gap that is too long', () => {
    fc.assert(
      fc.property(moments, (all) => {
        const sorted = all.toSorted((a, b) => a - b);
        let streak: Streak | null = null;
        for (const at of sorted) streak = continueStreak(streak, at, GAP);
        const { since, last } = streak ?? { since: NaN, last: NaN };
        expect(last).toBe(sorted.at(-1));
        const within = sorted.filter((at) => at >= since);
        expect(within[0]).toBe(since);
        for (const [index, at] of within.entries())
          expect(at - (within[index - 1] ?? at)).toBeLessThanOrEqual(GAP);
        const before = sorted.findLast((at) => at < since);
        expect(before === undefined || since - before > GAP).toBe(true);
      }),
    );
  });

  it('a check changes the streak only if the check is later than the streak’s last check', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), fc.nat(100), (since, length, back) => {
        const streak = { since, last: since + length };
        expect(continueStreak(streak, streak.last - back, GAP)).toEqual(streak);
      }),
    );
  });
});
