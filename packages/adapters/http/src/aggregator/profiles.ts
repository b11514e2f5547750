/** Reading of a partner's number: the factor to millionths, and the range that it may have. */
interface NumberReading {
  /** Millionths in one unit; below 0 if the partner's sign is the opposite of ours. */
  readonly ppmPerUnit: number;
  readonly least: number;
  readonly most: number;
}

interface QuoteReading {
  /** Ours: above 0 for a loss. */
  readonly priceImpact: NumberReading;
  readonly estimatedSlippage: NumberReading;
}

/** A fraction from 0 to 1. */
const FRACTION = { ppmPerUnit: 1_000_000, least: 0, most: 1 } as const;

/**
 * Units and signs of quotes, by what is spoken at the aggregator's address. Only this table decides
 * how a number is read; no value is guessed from its size. docs/operations/partner-data.md has it
 * with sources and dates.
 */
export const QUOTE_READINGS = {
  /** The specification's form: percent, above 0 for a loss. */
  spec: {
    priceImpact: { ppmPerUnit: 10_000, least: -100, most: 100 },
    estimatedSlippage: FRACTION,
  },
  /** AVNU as public integrations read it: basis points, below 0 for a loss. */
  avnu: {
    priceImpact: { ppmPerUnit: -100, least: -10_000, most: 10_000 },
    estimatedSlippage: FRACTION,
  },
} as const satisfies Readonly<Record<string, QuoteReading>>;

/** Name of what is spoken at the aggregator's address. */
export type AggregatorProtocol = keyof typeof QUOTE_READINGS;

/** A stated number in millionths with our sign, to the nearest; null for a number not stated. */
export function inMillionths(
  stated: number | null,
  { ppmPerUnit }: Pick<NumberReading, 'ppmPerUnit'>,
): number | null {
  // A sum with 0 is never -0.
  return stated === null ? null : Math.round(stated * ppmPerUnit) + 0;
}
