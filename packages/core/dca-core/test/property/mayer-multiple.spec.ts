import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  BANDS,
  LEAST_DAYS,
  MEAN_DAYS,
  bandOf,
  confirms,
  factorOf,
  judgeCloses,
  mayerMultiple,
  meanClose,
} from '../../src/domain/mayer-multiple.js';
import { compareRatios, decimalText, isWithin, type Ratio } from '../../src/domain/ratio.js';
import type { SourcedClose } from '../../src/index.js';

const TODAY = 20_000;
const SOURCES = ['alpha', 'beta'];
const millionths = (numerator: bigint): Ratio => ({ numerator, denominator: 1_000_000n });
const price = fc.bigInt({ min: 1n, max: 10n ** 15n });
const ratio = fc.record({
  numerator: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  denominator: fc.bigInt({ min: 1n, max: 10n ** 24n }),
});

/**
 * Returns closes of the sources `alpha` and `beta` for each of the 200 days. `apart` computes the
 * close of `beta` from the close of `alpha`.
 */
function closesOf(alphas: readonly bigint[], apart: (usdE8: bigint) => bigint): SourcedClose[] {
  return alphas.flatMap((usdE8, index) => {
    const day = TODAY - MEAN_DAYS + index;
    return [
      { source: 'alpha', day, usdE8 },
      { source: 'beta', day, usdE8: apart(usdE8) },
    ];
  });
}

const same = (usdE8: bigint): bigint => usdE8;
const level = (usdE8: bigint): readonly bigint[] => Array.from({ length: MEAN_DAYS }, () => usdE8);

/**
 * Groups 200 days on which the close of the source `alpha` is 10,000 and the close of the source
 * `beta` is the given value.
 */
function judgedAt(beta: bigint) {
  return judgeCloses(
    closesOf(level(10_000n), () => beta),
    SOURCES,
    TODAY,
  );
}

describe('bands of the Mayer Multiple', () => {
  it.each([
    [0n, '1.5'],
    [799_999n, '1.5'],
    [800_000n, '1.25'],
    [999_999n, '1.25'],
    [1_000_000n, '1'],
    [1_499_999n, '1'],
    [1_500_000n, '0.75'],
    [2_000_000n, '0.75'],
    [2_000_001n, '0.5'],
    [50_000_000n, '0.5'],
  ] as const)('a Mayer Multiple of %s millionths is in exactly the band %s', (multiple, band) => {
    expect(bandOf(millionths(multiple))).toBe(band);
  });

  it('equal fractions are in the same band of the Mayer Multiple', () => {
    fc.assert(
      fc.property(ratio, fc.bigInt({ min: 1n, max: 10n ** 9n }), (multiple, by) => {
        const { numerator, denominator } = multiple;
        expect(bandOf({ numerator: numerator * by, denominator: denominator * by })).toBe(
          bandOf(multiple),
        );
      }),
    );
  });

  it('a higher Mayer Multiple never has a higher factor', () => {
    fc.assert(
      fc.property(ratio, ratio, (a, b) => {
        const [low, high] = compareRatios(a, b) <= 0 ? [a, b] : [b, a];
        expect(compareRatios(factorOf(bandOf(low)), factorOf(bandOf(high)))).toBeGreaterThanOrEqual(
          0,
        );
      }),
    );
  });

  it('each band of the Mayer Multiple has the factor in the band’s name', () => {
    expect(BANDS.map((band) => decimalText(factorOf(band), 2))).toEqual([
      '1.50',
      '1.25',
      '1.00',
      '0.75',
      '0.50',
    ]);
  });
});

describe('mean of the daily closes', () => {
  it('the mean of the daily closing prices uses the prices of the first configured source', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: MEAN_DAYS, maxLength: MEAN_DAYS }), (alphas) => {
        const mean = meanClose(judgeCloses(closesOf(alphas, same), SOURCES, TODAY));
        const sum = alphas.reduce((a, b) => a + b, 0n);
        expect(mean).toEqual({
          meanUsdE8: { numerator: sum, denominator: BigInt(MEAN_DAYS) },
          days: MEAN_DAYS,
        });
      }),
      { numRuns: 20 },
    );
  });

  it('the mean of the daily closing prices is between the lowest and the highest agreed closing price', () => {
    fc.assert(
      fc.property(fc.array(price, { minLength: MEAN_DAYS, maxLength: MEAN_DAYS }), (alphas) => {
        const mean = meanClose(judgeCloses(closesOf(alphas, same), SOURCES, TODAY));
        const sorted = alphas.toSorted((a, b) => (a < b ? -1 : 1));
        const at = (index: number): Ratio => ({
          numerator: sorted.at(index) ?? 0n,
          denominator: 1n,
        });
        if (mean === null) throw new Error('all days are known');
        expect(compareRatios(at(0), mean.meanUsdE8)).toBeLessThanOrEqual(0);
        expect(compareRatios(at(-1), mean.meanUsdE8)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 20 },
    );
  });

  it('the sources agree on a day if their closing prices differ by at most 1 %, and otherwise dispute the day', () => {
    expect(judgedAt(10_100n).agreed).toHaveLength(MEAN_DAYS);
    expect(judgedAt(10_101n).disputed).toHaveLength(MEAN_DAYS);
    // The difference is relative to the lower close: 9,900 is more than 1 % below 10,000.
    expect(judgedAt(9_901n).agreed).toHaveLength(MEAN_DAYS);
    expect(judgedAt(9_900n).disputed).toHaveLength(MEAN_DAYS);
  });

  it('the mean of the closing prices requires at least 195 of 200 days, and the missing days may be at any position', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(MEAN_DAYS - 1), { maxLength: 10 }),
        fc.boolean(),
        (gaps, isDisputed) => {
          const closes = closesOf(level(10_000n), same).flatMap((close) => {
            const isGap = gaps.includes(close.day - TODAY + MEAN_DAYS) && close.source === 'beta';
            if (!isGap) return [close];
            return isDisputed ? [{ ...close, usdE8: close.usdE8 * 2n }] : [];
          });
          const judged = judgeCloses(closes, SOURCES, TODAY);
          expect((isDisputed ? judged.disputed : judged.missing).length).toBe(gaps.length);
          const mean = meanClose(judged);
          const known = MEAN_DAYS - gaps.length;
          expect(mean?.days ?? null).toBe(known >= LEAST_DAYS ? known : null);
        },
      ),
    );
  });

  it('the mean of the closing prices of 200 days includes neither today nor the day before the 200 days', () => {
    const closes = closesOf(level(10_000n), same);
    const outside = [TODAY, TODAY - MEAN_DAYS - 1].flatMap((day) =>
      SOURCES.map((source) => ({ source, day, usdE8: 1n })),
    );
    expect(judgeCloses([...outside, ...closes], SOURCES, TODAY)).toEqual(
      judgeCloses(closes, SOURCES, TODAY),
    );
  });

  it('the mean of the closing prices requires two configured sources per day', () => {
    const closes = closesOf(level(10_000n), same);
    expect(judgeCloses(closes, ['alpha'], TODAY).missing).toHaveLength(MEAN_DAYS);
    expect(judgeCloses(closes, ['alpha', 'gamma'], TODAY).missing).toHaveLength(MEAN_DAYS);
  });

  it('the Mayer Multiple is the spot price divided by the mean of the closing prices, without rounding', () => {
    fc.assert(
      fc.property(price, price, (spot, close) => {
        const mean = meanClose(judgeCloses(closesOf(level(close), same), SOURCES, TODAY));
        if (mean === null) throw new Error('all days are known');
        const multiple = mayerMultiple(spot, mean);
        expect(compareRatios(multiple, { numerator: spot, denominator: close })).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});

describe('confirms', () => {
  it('confirms the contract’s Mayer Multiple if it is in the service’s band and differs by at most 2 %', () => {
    expect(confirms(millionths(1_200_000n), millionths(1_224_000n))).toBe(true);
    expect(confirms(millionths(1_200_000n), millionths(1_224_001n))).toBe(false);
    expect(confirms(millionths(1_224_001n), millionths(1_200_000n))).toBe(false);
  });

  it('does not confirm a Mayer Multiple in another band than the service’s multiple', () => {
    expect(confirms(millionths(1_000_000n), millionths(999_999n))).toBe(false);
    expect(confirms(millionths(2_000_000n), millionths(2_000_001n))).toBe(false);
  });

  it('a confirmation of two Mayer Multiples is symmetric, and never holds for different bands', () => {
    fc.assert(
      fc.property(ratio, ratio, (ours, contracts) => {
        expect(confirms(ours, contracts)).toBe(confirms(contracts, ours));
        expect(confirms(ours, ours)).toBe(true);
        expect(confirms(ours, contracts)).toBe(
          bandOf(ours) === bandOf(contracts) && isWithin(ours, contracts, 200n),
        );
      }),
    );
  });

  it('does not confirm a Mayer Multiple of 0 from the contract', () => {
    expect(confirms(millionths(700_000n), millionths(0n))).toBe(false);
  });
});

describe('decimalText', () => {
  it.each([
    [1n, 3n, 4, '0.3333'],
    [2n, 1n, 2, '2.00'],
    [7n, 2n, 0, '3'],
    [0n, 5n, 1, '0.0'],
  ] as const)(
    'formats the ratio %s/%s with %s decimal places as %s',
    (numerator, denominator, places, text) => {
      expect(decimalText({ numerator, denominator }, places)).toBe(text);
    },
  );
});
