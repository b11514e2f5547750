import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fairValue, higherValue, leastWithin, reportedValue } from '../../src/domain/fair-value.js';
import { minimumOut, slippageDownTo } from '../../src/domain/swap.js';

const decimals = fc.integer({ min: 0, max: 18 });
const price = fc.bigInt({ min: 1n, max: 10n ** 20n });
const swaps = fc.record({
  amount: fc.bigInt({ min: 1n, max: 1n << 128n }),
  decimals,
  boughtDecimals: decimals,
  pair: fc.record({ soldUsdE8: price, boughtUsdE8: price }),
});
const impact = fc.integer({ min: 0, max: 5_000 });
const valueOf = ({
  amount,
  decimals: sold,
  boughtDecimals,
  pair,
}: typeof swaps extends fc.Arbitrary<infer S> ? S : never) =>
  fairValue({ amount, decimals: sold }, boughtDecimals, pair);

describe('fair value of a swap', () => {
  it('the fair value of a swap equals the value that was calculated by hand', () => {
    const atPrices = { soldUsdE8: 10_000_000_000_000n, boughtUsdE8: 350_000_000_000n };
    const value = fairValue({ amount: 19_600n, decimals: 8 }, 18, atPrices);
    expect(reportedValue(value)).toBe(5_600_000_000_000_000n);
    expect(leastWithin(value, 300)).toBe(5_432_000_000_000_000n);
    expect(
      reportedValue(
        fairValue({ amount: 19_600n, decimals: 8 }, 6, { ...atPrices, boughtUsdE8: 100_000_000n }),
      ),
    ).toBe(19_600_000n);
  });

  it('the reported fair value is rounded down by less than one unit', () => {
    fc.assert(
      fc.property(swaps, (swap) => {
        const value = valueOf(swap);
        const reported = reportedValue(value);
        expect(
          reported * value.denominator <= value.numerator &&
            value.numerator < (reported + 1n) * value.denominator,
        ).toBe(true);
      }),
    );
  });

  it('the minimum output that follows from a fair value is rounded up by less than one unit, and is never 0', () => {
    fc.assert(
      fc.property(swaps, impact, (swap, bps) => {
        const { numerator, denominator } = valueOf(swap);
        const least = leastWithin({ numerator, denominator }, bps);
        const exact = numerator * BigInt(10_000 - bps);
        expect(
          least * denominator * 10_000n >= exact && (least - 1n) * denominator * 10_000n < exact,
        ).toBe(true);
        expect(least).toBeGreaterThan(0n);
      }),
    );
  });

  it('converting an amount to a second ERC-20 token and back never yields more than the original amount', () => {
    fc.assert(
      fc.property(swaps, (swap) => {
        const there = reportedValue(valueOf(swap));
        const { soldUsdE8: boughtUsdE8, boughtUsdE8: soldUsdE8 } = swap.pair;
        const back = reportedValue(
          fairValue({ amount: there, decimals: swap.boughtDecimals }, swap.decimals, {
            soldUsdE8,
            boughtUsdE8,
          }),
        );
        expect(back).toBeLessThanOrEqual(swap.amount);
        const ahead = reportedValue(
          fairValue({ amount: there + 1n, decimals: swap.boughtDecimals }, swap.decimals, {
            soldUsdE8,
            boughtUsdE8,
          }),
        );
        expect(ahead).toBeGreaterThanOrEqual(swap.amount);
      }),
    );
  });

  it('returns the higher of two fair values, whichever value is passed first', () => {
    fc.assert(
      fc.property(swaps, swaps, (one, other) => {
        const [left, right] = [valueOf(one), valueOf(other)];
        for (const higher of [higherValue(left, right), higherValue(right, left)]) {
          for (const each of [left, right]) {
            expect(higher.numerator * each.denominator).toBeGreaterThanOrEqual(
              each.numerator * higher.denominator,
            );
          }
        }
      }),
    );
  });
});

describe('slippageDownTo', () => {
  it('returns the largest slippage tolerance whose minimum output is at least the floor', () => {
    const amounts = fc.bigInt({ min: 1n, max: 1n << 200n });
    fc.assert(
      fc.property(amounts, amounts, (quoted, floor) => {
        const room = slippageDownTo(floor, quoted);
        const isAbove = (ppm: number): boolean =>
          ppm >= 0 && ppm <= 1_000_000 && minimumOut(quoted, ppm) >= floor;
        expect([room < 0 || isAbove(room), isAbove(room + 1)]).toEqual([true, false]);
        expect(room < 0).toBe(floor > quoted);
      }),
    );
  });
});
