import type { PricePair } from './market-price.js';

/**
 * Value of an amount of one token in the smallest unit of another, as an exact fraction. Prices and
 * decimals rarely divide without remainder, so each use does its own rounding.
 */
export interface FairValue {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** An amount in the smallest unit of a token, and that token's decimals. */
export interface SoldAmount {
  readonly amount: bigint;
  readonly decimals: number;
}

const BPS = 10_000n;

/** Computes the value at one source's prices. */
export function fairValue(
  { amount, decimals }: SoldAmount,
  boughtDecimals: number,
  { soldUsdE8, boughtUsdE8 }: PricePair,
): FairValue {
  return {
    numerator: amount * soldUsdE8 * 10n ** BigInt(boughtDecimals),
    denominator: boughtUsdE8 * 10n ** BigInt(decimals),
  };
}

/** Returns the higher of two values, so that no single source can lower the required output. */
export function higherValue(left: FairValue, right: FairValue): FairValue {
  return left.numerator * right.denominator >= right.numerator * left.denominator ? left : right;
}

/** Value in reports: rounded down to whole units. */
export function reportedValue({ numerator, denominator }: FairValue): bigint {
  return numerator / denominator;
}

/**
 * Returns the smallest amount that is below the value by at most this many hundredths of a percent.
 * Rounded up, in favour of the swapping user.
 */
export function leastWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  const divisor = denominator * BPS;
  return (numerator * (BPS - BigInt(maxImpactBps)) + divisor - 1n) / divisor;
}

/** Largest amount that exceeds the value by at most this many hundredths of a percent. */
export function mostWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  return (numerator * (BPS + BigInt(maxImpactBps))) / (denominator * BPS);
}
