import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  promisedMinimum,
  signedMinimum,
  type MinimumBounds,
  type SwapWords,
} from '../../src/domain/signed-minimum.js';

const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });
const words: fc.Arbitrary<SwapWords> = fc.record({
  slippagePpm: fc.integer({ min: 1_000, max: 150_000 }),
  minAmountOut: fc.option(amount, { nil: undefined }),
});
const fair = fc.record({ numerator: amount, denominator: amount });
const bounds: fc.Arbitrary<MinimumBounds> = fc.record({
  pinnedMinimum: fc.option(amount, { nil: null }),
  words,
  quotedAmount: amount,
  fair,
  maxPriceImpactBps: fc.integer({ min: 0, max: 10_000 }),
});

describe('signedMinimum', () => {
  it('T1 the signed minimum output is the highest of all lower limits', () => {
    fc.assert(
      fc.property(bounds, (each) => {
        const minimum = signedMinimum(each);
        const { pinnedMinimum, quotedAmount, maxPriceImpactBps } = each;
        const { slippagePpm, minAmountOut } = each.words;
        const { numerator, denominator } = each.fair;
        const impact = 10_000n - BigInt(maxPriceImpactBps);
        const allows = (candidate: bigint): boolean =>
          candidate >= 1n &&
          candidate >= (pinnedMinimum ?? 0n) &&
          candidate >= (minAmountOut ?? 0n) &&
          candidate * 1_000_000n >= quotedAmount * (1_000_000n - BigInt(slippagePpm)) &&
          candidate * denominator * 10_000n >= numerator * impact;
        expect([allows(minimum), allows(minimum - 1n)]).toEqual([true, false]);
      }),
    );
  });

  it('T2 the signed minimum output respects the slippage tolerance even if the requested minimum output is 1', () => {
    fc.assert(
      fc.property(amount, words, (quotedAmount, { slippagePpm }) => {
        expect(promisedMinimum({ slippagePpm, minAmountOut: 1n }, quotedAmount)).toBe(
          promisedMinimum({ slippagePpm }, quotedAmount),
        );
      }),
    );
  });

  it('T1: the signed minimum output is never below the minimum of the request that pinned the note', () => {
    fc.assert(
      fc.property(bounds, fc.array(bounds), (first, later) => {
        const pinnedMinimum = promisedMinimum(first.words, first.quotedAmount);
        for (const each of later)
          expect(signedMinimum({ ...each, pinnedMinimum }) >= pinnedMinimum).toBe(true);
      }),
    );
  });
});
