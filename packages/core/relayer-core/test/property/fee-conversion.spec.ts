import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { feesToSell, type EarnedFees } from '../../src/treasury/domain/fee-conversion.js';

const amount = fc.bigInt({ min: 0n, max: 1_000n });
const earned: fc.Arbitrary<EarnedFees> = fc
  .record({
    balance: fc.bigInt({ min: 0n, max: 3_000n }),
    reserve: amount,
    leastSold: fc.bigInt({ min: 1n, max: 1_000n }),
    aboveLeast: amount,
    approved: fc.option(amount),
  })
  .map(({ aboveLeast, ...fees }) => ({ ...fees, mostSold: fees.leastSold + aboveLeast }));

describe('the amount of fees that is sold', () => {
  it('leaves the reserve, and is 0 or between minimum and maximum', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const sold = feesToSell(fees);
        const isWithin =
          sold >= fees.leastSold && sold <= fees.mostSold && fees.balance - sold >= fees.reserve;
        expect(sold === 0n || isWithin).toBe(true);
      }),
    );
  });

  it('is positive as soon as the minimum is available above the reserve', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const isEnough = fees.balance - fees.reserve >= fees.leastSold;
        expect(feesToSell(fees) > 0n).toBe(isEnough);
      }),
    );
  });

  it('is at most an existing approval, if that suffices for a swap', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const { approved, leastSold } = fees;
        const isUsable = approved !== null && approved >= leastSold;
        expect(isUsable && feesToSell(fees) > approved).toBe(false);
      }),
    );
  });

  it('is the whole balance above the reserve, up to the maximum, if there is no approval', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const excess = fees.balance - fees.reserve;
        const sold = feesToSell({ ...fees, approved: null });
        const largest = excess < fees.mostSold ? excess : fees.mostSold;
        expect(sold).toBe(excess < fees.leastSold ? 0n : largest);
      }),
    );
  });
});
