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
 * Computes e^(seconds · ln(1 + rate)) by the series of both functions, with 80 decimals: an
 * independent formula for the same number.
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
  it('is exact if the power is exact', () => {
    fc.assert(
      fc.property(rate, fc.bigInt(0n, 3n), (rateE18, seconds) => {
        const exact = ((E18 + rateE18) ** seconds * ONE_E60) / E18 ** seconds;
        expect(growthE60(rateE18, seconds)).toBe(exact);
      }),
    );
  });

  it('is too small over a year by less than its bound, and never too large', () => {
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

  it('rises with rate and time', () => {
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
  it('are consistent', () => {
    fc.assert(
      fc.property(state, (pool) => {
        expect(totalSupplied(pool)).toBe(pool.reserve + totalDebt(pool));
        const utilization = utilizationE36(pool);
        expect(utilization >= 0n && utilization <= ONE_E36).toBe(true);
        // Suppliers receive at most the borrowers' payments.
        const whole = supplyApyE36({ ...pool, reserve: 0n });
        expect(supplyApyE36(pool)).toBeLessThanOrEqual(whole);
      }),
    );
  });

  it('are lower for suppliers if unborrowed money is added', () => {
    fc.assert(
      fc.property(state, fc.bigInt(1n, 10n ** 15n), (pool, more) => {
        const later = { ...pool, reserve: pool.reserve + more };
        expect(utilizationE36(later)).toBeLessThanOrEqual(utilizationE36(pool));
        expect(supplyApyE36(later)).toBeLessThanOrEqual(supplyApyE36(pool));
      }),
    );
  });
});
