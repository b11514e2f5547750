import type { PricePair } from './market-price.js';

/**
 * What an amount of one token is worth in the smallest unit of another, as an exact fraction:
 * prices and decimals rarely divide without rest, and each use rounds for itself.
 */
export interface FairValue {
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

/** An amount in the smallest unit of a token, and that token's decimals. */
export interface SoldAmount {
  readonly amount: bigint;
  readonly decimals: number;
}

const BPS = 10_000n;

/** The value at one source's prices. */
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

/** The higher of two values: no single source can lower what a swap has to bring. */
export function higherValue(left: FairValue, right: FairValue): FairValue {
  return left.numerator * right.denominator >= right.numerator * left.denominator ? left : right;
}

/** The value as it is reported: rounded down to whole units. */
export function reportedValue({ numerator, denominator }: FairValue): bigint {
  return numerator / denominator;
}

/**
 * The least amount that falls short of the value by no more than so many hundredths of a percent:
 * rounded up, in favour of who swaps.
 */
export function leastWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  const divisor = denominator * BPS;
  return (numerator * (BPS - BigInt(maxImpactBps)) + divisor - 1n) / divisor;
}

/** Largest amount that exceeds the value by at most this many hundredths of a percent. */
export function mostWithin({ numerator, denominator }: FairValue, maxImpactBps: number): bigint {
  return (numerator * (BPS + BigInt(maxImpactBps))) / (denominator * BPS);
}
