import type { SourcedClose } from './daily-close.js';
import { BPS, compareRatios, isWithin, type Ratio } from './ratio.js';

/** Number of days before today from which the mean is computed. */
export const MEAN_DAYS = 200;
/** Minimum number of days whose closes are known and on which the sources agree. */
export const LEAST_DAYS = 195;
/**
 * Maximum difference between two sources' closes of a day, in hundredths of a percent of the lower
 * close.
 */
const CLOSES_APART_BPS = 100n;
/**
 * Maximum difference between the contract's multiple and the keeper's own multiple, in hundredths
 * of a percent of the lower multiple.
 */
const MULTIPLES_APART_BPS = 200n;
/** Number of sources that must agree on the close of a day. */
const CLOSE_QUORUM = 2;

/** Mean of the daily closes on which the sources agree. */
export interface MeanClose {
  /** Mean of the closes in 1e-8 USD. */
  readonly meanUsdE8: Ratio;
  /** Number of days included in the mean. */
  readonly days: number;
}

/** The 200 days before `today`, grouped by whether the sources' closes agree. */
export interface JudgedDays {
  /**
   * Closes of the days on which the sources agree, in 1e-8 USD. Each close is the one of the source
   * that is configured first.
   */
  readonly agreed: readonly bigint[];
  /** Days that have a close from fewer than two sources. */
  readonly missing: readonly number[];
  /** Days on which the closes of the sources are more than 1 % apart. */
  readonly disputed: readonly number[];
}

/**
 * Returns the first and the last of the days before `today` from which the mean is computed, both
 * included.
 */
export function daysBefore(today: number): { readonly from: number; readonly to: number } {
  return { from: today - MEAN_DAYS, to: today - 1 };
}

/**
 * Groups the 200 days before `today` by whether their closes agree.
 * @param sources names, most trusted first; closes of other sources are ignored
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

/** Returns the mean of the agreed closes; null if fewer than 195 days agree. */
export function meanClose({ agreed }: Pick<JudgedDays, 'agreed'>): MeanClose | null {
  if (agreed.length < LEAST_DAYS) return null;
  const numerator = agreed.reduce((sum, usdE8) => sum + usdE8, 0n);
  return { meanUsdE8: { numerator, denominator: BigInt(agreed.length) }, days: agreed.length };
}

/** Returns the Mayer Multiple: spot price divided by the mean. @param spotUsdE8 in 1e-8 USD */
export function mayerMultiple(spotUsdE8: bigint, { meanUsdE8 }: MeanClose): Ratio {
  return {
    numerator: spotUsdE8 * meanUsdE8.denominator,
    denominator: meanUsdE8.numerator,
  };
}

/** Factors of a smart order's amount, from the lowest BTC price to the highest. */
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

/**
 * Returns the band of a multiple. The five ranges are: below 0.8, from 0.8, from 1.0, from 1.5 up
 * to and including 2.0, above 2.0.
 */
export function bandOf(multiple: Ratio): Band {
  if (compareRatios(multiple, P8) < 0) return '1.5';
  if (compareRatios(multiple, P10) < 0) return '1.25';
  if (compareRatios(multiple, P15) < 0) return '1';
  return compareRatios(multiple, P20) <= 0 ? '0.75' : '0.5';
}

export function factorOf(band: Band): Ratio {
  return FACTORS[band];
}

/** Returns the band that applies after the multiple has fallen by `bps` hundredths of a percent. */
export function bandBelow({ numerator, denominator }: Ratio, bps: bigint): Band {
  return bandOf({ numerator: numerator * (BPS - bps), denominator: denominator * BPS });
}

/**
 * Returns true if the keeper's own multiple confirms the contract's multiple: both are in one band
 * and at most 2 % apart.
 */
export function confirms(ours: Ratio, contracts: Ratio): boolean {
  return bandOf(ours) === bandOf(contracts) && isWithin(ours, contracts, MULTIPLES_APART_BPS);
}

function agree(prices: readonly bigint[]): boolean {
  const ratios = prices.map((numerator): Ratio => ({ numerator, denominator: 1n }));
  const lowest = ratios.reduce((a, b) => (compareRatios(a, b) <= 0 ? a : b));
  const highest = ratios.reduce((a, b) => (compareRatios(a, b) >= 0 ? a : b));
  return isWithin(lowest, highest, CLOSES_APART_BPS);
}
