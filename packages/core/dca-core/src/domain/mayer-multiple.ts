import type { SourcedClose } from './daily-close.js';
import { BPS, compareRatios, isWithin, type Ratio } from './ratio.js';

/** Days of the mean. */
export const MEAN_DAYS = 200;
/** Minimum number of known and agreed days. */
export const LEAST_DAYS = 195;
/** Maximum difference between the sources for a day, in hundredths of a percent of the lower. */
const CLOSES_APART_BPS = 100n;
/** Maximum difference between the contract's multiple and ours, in the same unit. */
const MULTIPLES_APART_BPS = 200n;
/** Number of sources that a day needs. */
const CLOSE_QUORUM = 2;

/** Mean of the daily closes that count. */
export interface MeanClose {
  /** Mean in 1e-8 USD. */
  readonly meanUsdE8: Ratio;
  /** Number of days in the mean. */
  readonly days: number;
}

/** The 200 days before `today`, grouped by the agreement of their sources. */
export interface JudgedDays {
  /** Closes in 1e-8 USD, each from the first configured source. */
  readonly agreed: readonly bigint[];
  /** Days with fewer than two sources. */
  readonly missing: readonly number[];
  /** Days whose sources are more than 1 % apart. */
  readonly disputed: readonly number[];
}

/** Range of the days in the mean before `today`, both ends included. */
export function daysBefore(today: number): { readonly from: number; readonly to: number } {
  return { from: today - MEAN_DAYS, to: today - 1 };
}

/**
 * Judges the closes of the 200 days before `today`.
 * @param sources names, in order of trust; closes of other sources do not count
 */
export function judgeCloses(
  closes: readonly SourcedClose[],
  sources: readonly string[],
  today: number,
): JudgedDays {
  const priceOf = new Map(closes.map(({ day, source, usdE8 }) => [`${day}|${source}`, usdE8]));
  const agreed: bigint[] = [];
  const missing: number[] = [];
  const disputed: number[] = [];
  const { from, to } = daysBefore(today);
  for (let day = from; day <= to; day += 1) {
    const prices = sources
      .map((source) => priceOf.get(`${day}|${source}`) ?? 0n)
      .filter((usdE8) => usdE8 > 0n);
    const [first] = prices;
    if (first === undefined || prices.length < CLOSE_QUORUM) missing.push(day);
    else if (agree(prices)) agreed.push(first);
    else disputed.push(day);
  }
  return { agreed, missing, disputed };
}

/** Returns null if fewer than 195 days count. */
export function meanClose({ agreed }: Pick<JudgedDays, 'agreed'>): MeanClose | null {
  if (agreed.length < LEAST_DAYS) return null;
  const numerator = agreed.reduce((sum, usdE8) => sum + usdE8, 0n);
  return { meanUsdE8: { numerator, denominator: BigInt(agreed.length) }, days: agreed.length };
}

/** Spot price divided by the mean. @param spotUsdE8 in 1e-8 USD */
export function mayerMultiple(spotUsdE8: bigint, { meanUsdE8 }: MeanClose): Ratio {
  return {
    numerator: spotUsdE8 * meanUsdE8.denominator,
    denominator: meanUsdE8.numerator,
  };
}

/** Factors of a smart order's amount, from the cheapest BTC to the most expensive. */
export const BANDS = ['1.5', '1.25', '1', '0.75', '0.5'] as const;
export type Band = (typeof BANDS)[number];

const FACTORS: Readonly<Record<Band, Ratio>> = {
  '1.5': { numerator: 3n, denominator: 2n },
  '1.25': { numerator: 5n, denominator: 4n },
  '1': { numerator: 1n, denominator: 1n },
  '0.75': { numerator: 3n, denominator: 4n },
  '0.5': { numerator: 1n, denominator: 2n },
};

const tenths = (numerator: bigint): Ratio => ({ numerator, denominator: 10n });
const [P8, P10, P15, P20] = [tenths(8n), tenths(10n), tenths(15n), tenths(20n)];

/** Returns the band: below 0.8, from 0.8, from 1.0, from 1.5 up to and including 2.0, above 2.0. */
export function bandOf(multiple: Ratio): Band {
  if (compareRatios(multiple, P8) < 0) return '1.5';
  if (compareRatios(multiple, P10) < 0) return '1.25';
  if (compareRatios(multiple, P15) < 0) return '1';
  return compareRatios(multiple, P20) <= 0 ? '0.75' : '0.5';
}

export function factorOf(band: Band): Ratio {
  return FACTORS[band];
}

/** Returns the band of a multiple that is this many hundredths of a percent lower. */
export function bandBelow({ numerator, denominator }: Ratio, bps: bigint): Band {
  return bandOf({ numerator: numerator * (BPS - bps), denominator: denominator * BPS });
}

/** Returns true if the contract's multiple is confirmed: in our band, and at most 2 % apart. */
export function confirms(ours: Ratio, contracts: Ratio): boolean {
  return bandOf(ours) === bandOf(contracts) && isWithin(ours, contracts, MULTIPLES_APART_BPS);
}

function agree(prices: readonly bigint[]): boolean {
  const ratios = prices.map((numerator): Ratio => ({ numerator, denominator: 1n }));
  const lowest = ratios.reduce((a, b) => (compareRatios(a, b) <= 0 ? a : b));
  const highest = ratios.reduce((a, b) => (compareRatios(a, b) >= 0 ? a : b));
  return isWithin(lowest, highest, CLOSES_APART_BPS);
}
