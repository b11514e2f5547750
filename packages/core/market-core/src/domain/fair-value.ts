import type { PricePair } from './market-price.js';

/**
 * Value of an amount of one ERC-20 token in the smallest unit of a second ERC-20 token, as an exact
 * fraction. Prices and decimals rarely divide without remainder, so each function that uses the
 * value rounds it itself.
 */
export interface FairValue {
  readonly numerator: bigint;
  /** Denominator of the value; always positive. */
  readonly denominator: bigint;
}

/** An amount in the smallest unit of an ERC-20 token, and the token's decimals. */
export interface SoldAmount {
  readonly amount: bigint;
  readonly decimals: number;
}

const BPS = 10_000n;

/** Computes the value of a sold amount at the prices of one source. */
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

/** Returns the higher of two values, so that one source alone can't lower the required output. */
export function higherValue(left: FairValue, right: FairValue): FairValue {
  return left.numerator * right.denominator >= right.numerator * left.denominator ? left : right;
}

/** Returns the value for display in reports, rounded down to the smallest unit. */
export function reportedValue({ numerator, denominator }: FairValue): bigint {
  return numerator / denominator;
}

/**
 * Returns the smallest amount that is below the value by at most this many hundredths of a percent.
 * The amount is rounded up, in favour of the user who swaps.
 */
export function leastWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  const divisor = denominator * BPS;
  return (numerator * (BPS - BigInt(maxImpactBps)) + divisor - 1n) / divisor;
}

/**
 * Returns the largest amount that exceeds the value by at most this many hundredths of a percent.
 */
export function mostWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  return (numerator * (BPS + BigInt(maxImpactBps))) / (denominator * BPS);
}
