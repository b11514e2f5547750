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
 * Returns closes of both sources on each of the 200 days. `apart` computes beta's close from
 * alpha's.
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

/** Groups 200 days on which alpha's close is 10,000 and beta's close is this value. */
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
  ] as const)('assigns the exact band at %s millionths: %s', (multiple, band) => {
    expect(bandOf(millionths(multiple))).toBe(band);
  });

  it('assigns equal fractions to the same band', () => {
    fc.assert(
      fc.property(ratio, fc.bigInt({ min: 1n, max: 10n ** 9n }), (multiple, by) => {
        const { numerator, denominator } = multiple;
        expect(bandOf({ numerator: numerator * by, denominator: denominator * by })).toBe(
          bandOf(multiple),
        );
      }),
    );
  });

  it('never assigns a higher factor to a higher multiple', () => {
    fc.assert(
      fc.property(ratio, ratio, (a, b) => {
        const [low, high] = compareRatios(a, b) <= 0 ? [a, b] : [b, a];
        expect(compareRatios(factorOf(bandOf(low)), factorOf(bandOf(high)))).toBeGreaterThanOrEqual(
          0,
        );
      }),
    );
  });

  it('assigns each band the factor of its name', () => {
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
  it('the mean is exact and uses the closes of the first configured source', () => {
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

  it('the mean is between the lowest and the highest agreed close', () => {
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

  it('accepts a day whose sources are exactly 1 % apart, and disputes a day beyond 1 %', () => {
    expect(judgedAt(10_100n).agreed).toHaveLength(MEAN_DAYS);
    expect(judgedAt(10_101n).disputed).toHaveLength(MEAN_DAYS);
    // The difference is relative to the lower close: 9,900 is more than 1 % below 10,000.
    expect(judgedAt(9_901n).agreed).toHaveLength(MEAN_DAYS);
    expect(judgedAt(9_900n).disputed).toHaveLength(MEAN_DAYS);
  });

  it('the mean needs 195 days, and gaps may be at any position', () => {
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

  it('excludes today and the day before the 200 days from the mean', () => {
    const closes = closesOf(level(10_000n), same);
    const outside = [TODAY, TODAY - MEAN_DAYS - 1].flatMap((day) =>
      SOURCES.map((source) => ({ source, day, usdE8: 1n })),
    );
    expect(judgeCloses([...outside, ...closes], SOURCES, TODAY)).toEqual(
      judgeCloses(closes, SOURCES, TODAY),
    );
  });

  it('needs two configured sources per day and ignores closes of other sources', () => {
    const closes = closesOf(level(10_000n), same);
    expect(judgeCloses(closes, ['alpha'], TODAY).missing).toHaveLength(MEAN_DAYS);
    expect(judgeCloses(closes, ['alpha', 'gamma'], TODAY).missing).toHaveLength(MEAN_DAYS);
  });

  it('divides the spot price by the mean without rounding', () => {
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
  it('confirms a multiple that is in the same band and at most 2 % apart', () => {
    expect(confirms(millionths(1_200_000n), millionths(1_224_000n))).toBe(true);
    expect(confirms(millionths(1_200_000n), millionths(1_224_001n))).toBe(false);
    expect(confirms(millionths(1_224_001n), millionths(1_200_000n))).toBe(false);
  });

  it('does not confirm a multiple in another band, at any distance', () => {
    expect(confirms(millionths(1_000_000n), millionths(999_999n))).toBe(false);
    expect(confirms(millionths(2_000_000n), millionths(2_000_001n))).toBe(false);
  });

  it('a confirmation is symmetric and never covers a multiple in another band', () => {
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

  it('does not confirm a multiple of 0 from the contract', () => {
    expect(confirms(millionths(700_000n), millionths(0n))).toBe(false);
  });
});

describe('decimalText', () => {
  it.each([
    [1n, 3n, 4, '0.3333'],
    [2n, 1n, 2, '2.00'],
    [7n, 2n, 0, '3'],
    [0n, 5n, 1, '0.0'],
  ] as const)('formats the ratio %s/%s with %s decimal places as %s', (numerator, denominator, places, text) => {
    expect(decimalText({ numerator, denominator }, places)).toBe(text);
  });
});
