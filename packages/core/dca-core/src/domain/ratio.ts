/** An exact fraction: quotients of prices rarely end. */
export interface Ratio {
  /** At least 0. */
  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;
}

export const BPS = 10_000n;

/** Below 0, 0 or above 0 as `left` is below, equal to or above `right`. */
export function compareRatios(left: Ratio, right: Ratio): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether the higher is at most so many hundredths of a percent of the lower above it. */
export function isWithin(a: Ratio, b: Ratio, bps: bigint): boolean {
  const [low, high] = compareRatios(a, b) <= 0 ? [a, b] : [b, a];
  const raised = { numerator: low.numerator * (BPS + bps), denominator: low.denominator * BPS };
  return compareRatios(high, raised) <= 0;
}

/** As decimal text, rounded down to so many places. */
export function decimalText({ numerator, denominator }: Ratio, places: number): string {
  const scaled = (numerator * 10n ** BigInt(places)) / denominator;
  const digits = scaled.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
}
