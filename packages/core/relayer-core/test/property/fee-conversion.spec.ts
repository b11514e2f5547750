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
  it('earned fees are sold only above the reserve, and only in amounts between the minimum and the maximum', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const sold = feesToSell(fees);
        const isWithin =
          sold >= fees.leastSold && sold <= fees.mostSold && fees.balance - sold >= fees.reserve;
        expect(sold === 0n || isWithin).toBe(true);
      }),
    );
  });

  it('earned fees are sold as soon as the amount above the reserve reaches the minimum', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const isEnough = fees.balance - fees.reserve >= fees.leastSold;
        expect(feesToSell(fees) > 0n).toBe(isEnough);
      }),
    );
  });

  it('a sale of fees does not exceed an existing approval of at least the minimum amount', () => {
    fc.assert(
      fc.property(earned, (fees) => {
        const { approved, leastSold } = fees;
        const isUsable = approved !== null && approved >= leastSold;
        expect(isUsable && feesToSell(fees) > approved).toBe(false);
      }),
    );
  });

  it('sells all fees above the reserve, up to the maximum, if no approval exists', () => {
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
