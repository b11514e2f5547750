/**
 * Interpretation of one of the partner's numbers: the factor to millionths, and the valid range.
 */
interface NumberReading {
  /** Number of millionths in one unit; negative if the partner's sign is the opposite of ours. */
  readonly ppmPerUnit: number;
  readonly least: number;
  readonly most: number;
}

interface QuoteReading {
  /** Price impact. A positive number of our format is a loss. */
  readonly priceImpact: NumberReading;
  readonly estimatedSlippage: NumberReading;
}

/** Interpretation of a fraction from 0 to 1. */
const FRACTION = { ppmPerUnit: 1_000_000, least: 0, most: 1 } as const;

/**
 * Units and signs of quotes, by the protocol at the aggregator's address. Only this table
 * determines the interpretation of a number, which never depends on the number's size.
 * docs/operations/partner-data.md lists sources and dates.
 */
export const QUOTE_READINGS = {
  /** Format of the specification: percent, positive for a loss. */
  spec: {
    priceImpact: { ppmPerUnit: 10_000, least: -100, most: 100 },
    estimatedSlippage: FRACTION,
  },
  /** Format of AVNU, as public integrations interpret it: basis points, negative for a loss. */
  avnu: {
    priceImpact: { ppmPerUnit: -100, least: -10_000, most: 10_000 },
    estimatedSlippage: FRACTION,
  },
} as const satisfies Readonly<Record<string, QuoteReading>>;

/** Protocol at the aggregator's address. */
export type AggregatorProtocol = keyof typeof QUOTE_READINGS;

/**
 * Converts a number to millionths with our sign, rounded to the nearest integer. Returns null for
 * an absent number.
 */
export function inMillionths(
  stated: number | null,
  { ppmPerUnit }: Pick<NumberReading, 'ppmPerUnit'>,
): number | null {
  // The addition of 0 converts -0 to 0.
  return stated === null ? null : Math.round(stated * ppmPerUnit) + 0;
}
