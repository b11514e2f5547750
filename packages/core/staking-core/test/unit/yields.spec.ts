import { describe, expect, it } from '@jest/globals';
import {
  MAX_INTEREST_RATE_E18,
  ONE_E36,
  borrowAprE36,
  supplyApyE36,
  totalDebt,
  totalSupplied,
  utilizationE36,
} from '@sotto/staking-core';
import { ABOVE_TARGET, IDLE, NORMAL } from '../support/world.js';

/** Parses a fraction with 36 decimals. */
const e36 = (text: string): bigint => BigInt(text.replace('.', ''));

describe('yields of a lending pool', () => {
  it('the yields are 0 while nothing is borrowed', () => {
    expect(totalDebt(IDLE)).toBe(0n);
    expect(totalSupplied(IDLE)).toBe(12_300_000_000n);
    expect([utilizationE36(IDLE), borrowAprE36(IDLE), supplyApyE36(IDLE)]).toEqual([0n, 0n, 0n]);
  });

  it('the yields are 0 in a pool without any supply', () => {
    const empty = { ...IDLE, reserve: 0n };
    expect([totalSupplied(empty), utilizationE36(empty), supplyApyE36(empty)]).toEqual([
      0n,
      0n,
      0n,
    ]);
  });

  it('the yields at a usual utilization are computed from the debt, which includes interest', () => {
    // The debt is 32 · 1.25 = 40 BTC of a supply of 100 BTC. The yearly rate is 2e-9 · 31,104,000 =
    // 0.062208, and (1 + 2e-9)^31,104,000 = 1.06418367184676563648629296…
    expect(totalDebt(NORMAL)).toBe(4_000_000_000n);
    expect(totalSupplied(NORMAL)).toBe(10_000_000_000n);
    expect(utilizationE36(NORMAL)).toBe(4n * 10n ** 35n);
    expect(borrowAprE36(NORMAL)).toBe(62_208n * 10n ** 30n);
    expect(supplyApyE36(NORMAL)).toBe(e36('0.025673468738706254594517184602809525'));
  });

  it('the yields above the target utilization are computed from a higher interest rate', () => {
    // The debt is 90 BTC of a supply of 100 BTC. The yearly rate is 12e-9 · 31,104,000 = 0.373248,
    // and (1 + 12e-9)^31,104,000 = 1.45244449815451103560790176…
    expect(utilizationE36(ABOVE_TARGET)).toBe(9n * 10n ** 35n);
    expect(borrowAprE36(ABOVE_TARGET)).toBe(373_248n * 10n ** 30n);
    expect(supplyApyE36(ABOVE_TARGET)).toBe(e36('0.407200048339059932047111585535002514'));
  });

  it('the supply yield is 300 % at the highest rate of the pool on mainnet', () => {
    // The pool's configuration targets exactly this yield: (1 + 44569649971e-18)^31,104,000 =
    // 4.000000002739065…
    const full = { ...ABOVE_TARGET, reserve: 0n, interestRateE18: 44_569_649_971n };
    expect(utilizationE36(full)).toBe(ONE_E36);
    expect(supplyApyE36(full)).toBe(e36('3.000000002739065518727664735218546401'));
  });

  it('the debt of a pool is rounded down to the smallest unit', () => {
    // An amount of 0.000000019 BTC is 1.9 sats, which is rounded down to 1 sat.
    expect(totalDebt({ ...IDLE, totalNominalDebtE18: 19n * 10n ** 9n })).toBe(1n);
  });

  it.each([-1n, MAX_INTEREST_RATE_E18 + 1n, 10n ** 18n])(
    'rejects an interest rate of %p with a RangeError',
    (interestRateE18) => {
      expect(() => supplyApyE36({ ...NORMAL, interestRateE18 })).toThrow(RangeError);
      expect(() => borrowAprE36({ ...NORMAL, interestRateE18 })).toThrow(RangeError);
    },
  );
});
