import { describe, expect, it } from '@jest/globals';
import {
  ONE_E36,
  supplyApyE36,
  totalDebt,
  totalSupplied,
  utilizationE36,
  type LendingPoolState,
} from '@sotto/staking-core';
import * as fc from 'fast-check';
import { growthE60 } from '../../src/domain/yields.js';

const E18 = 10n ** 18n;
const E80 = 10n ** 80n;
const ONE_E60 = 10n ** 60n;
const YEAR = 31_104_000n;

const rate = fc.bigInt(0n, 10n ** 12n);
const usualRate = fc.bigInt(0n, 5n * 10n ** 10n);
const state = fc.record<LendingPoolState>({
  reserve: fc.bigInt(0n, 21n * 10n ** 14n),
  totalNominalDebtE18: fc.bigInt(0n, 21n * 10n ** 24n),
  rateAccumulatorE18: fc.bigInt(E18, 10n * E18),
  scale: fc.constantFrom(10n ** 6n, 10n ** 8n, E18),
  interestRateE18: usualRate,
});

/**
 * Computes e^(seconds · ln(1 + rate)) from the power series of exp and ln, with 80 decimals. This
 * independent formula gives the same number as `growthE60`.
 */
function growthBySeries(rateE18: bigint, seconds: bigint): bigint {
  const x = rateE18 * (E80 / E18);
  let logarithm = 0n;
  let power = x;
  for (let n = 1n; power !== 0n; n += 1n) {
    logarithm += n % 2n === 1n ? power / n : -(power / n);
    power = (power * x) / E80;
  }
  let sum = 0n;
  let term = E80;
  for (let n = 1n; term !== 0n; n += 1n) {
    sum += term;
    term = (term * logarithm * seconds) / (n * E80);
  }
  return sum / (E80 / ONE_E60);
}

describe('growthE60', () => {
  it('growthE60 returns the exact growth if the exact power fits into 60 decimals', () => {
    fc.assert(
      fc.property(rate, fc.bigInt(0n, 3n), (rateE18, seconds) => {
        const exact = ((E18 + rateE18) ** seconds * ONE_E60) / E18 ** seconds;
        expect(growthE60(rateE18, seconds)).toBe(exact);
      }),
    );
  });

  it('the computed growth of a year is too small by at most the documented error, and is not too large', () => {
    fc.assert(
      fc.property(rate, (rateE18) => {
        const precise = growthBySeries(rateE18, YEAR);
        const error = precise - growthE60(rateE18, YEAR);
        const bound = (2n * YEAR * precise) / ONE_E60 + 2n;
        expect(error >= -2n && error <= bound).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('the computed growth rises with the rate and with the time', () => {
    fc.assert(
      fc.property(usualRate, fc.bigInt(1n, YEAR), (rateE18, seconds) => {
        expect(growthE60(rateE18 + 1n, seconds)).toBeGreaterThan(growthE60(rateE18, seconds));
        expect(growthE60(rateE18 + 1n, seconds + 1n)).toBeGreaterThan(
          growthE60(rateE18 + 1n, seconds),
        );
      }),
    );
  });
});

describe('figures of any pool', () => {
  it('the computed yields of any pool are plausible', () => {
    fc.assert(
      fc.property(state, (pool) => {
        expect(totalSupplied(pool)).toBe(pool.reserve + totalDebt(pool));
        const utilization = utilizationE36(pool);
        expect(utilization >= 0n && utilization <= ONE_E36).toBe(true);
        // All suppliers together receive at most the interest that the borrowers pay.
        const whole = supplyApyE36({ ...pool, reserve: 0n });
        expect(supplyApyE36(pool)).toBeLessThanOrEqual(whole);
      }),
    );
  });

  it('additional supply that is not lent out raises neither the utilization nor the suppliers’ yield', () => {
    fc.assert(
      fc.property(state, fc.bigInt(1n, 10n ** 15n), (pool, more) => {
        const later = { ...pool, reserve: pool.reserve + more };
        expect(utilizationE36(later)).toBeLessThanOrEqual(utilizationE36(pool));
        expect(supplyApyE36(later)).toBeLessThanOrEqual(supplyApyE36(pool));
      }),
    );
  });
});
