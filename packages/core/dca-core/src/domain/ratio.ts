/**
 * An exact fraction. Fractions are used because quotients of prices rarely have a finite decimal
 * form.
 */
export interface Ratio {
  /** Numerator of the fraction; zero or positive. */
  readonly numerator: bigint;
  /** Denominator of the fraction; always positive. */
  readonly denominator: bigint;
}

export const BPS = 10_000n;

/** Returns a negative, zero or positive number if `left` is below, equal to or above `right`. */
export function compareRatios(left: Ratio, right: Ratio): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Returns true if the higher ratio exceeds the lower ratio by at most this many hundredths of a
 * percent.
 */
export function isWithin(a: Ratio, b: Ratio, bps: bigint): boolean {
  const [low, high] = compareRatios(a, b) <= 0 ? [a, b] : [b, a];
  const raised = { numerator: low.numerator * (BPS + bps), denominator: low.denominator * BPS };
  return compareRatios(high, raised) <= 0;
}

/** Formats a ratio as decimal text, rounded down to this number of decimal places. */
export function decimalText({ numerator, denominator }: Ratio, places: number): string {
  const scaled = (numerator * 10n ** BigInt(places)) / denominator;
  const digits = scaled.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
}
