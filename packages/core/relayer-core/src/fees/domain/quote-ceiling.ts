import { CostExceedsQuote } from '../../errors.js';

/** Largest multiple of the assumed cost at which a quote takes the place of the cost. */
const MOST_TIMES = 2n;

/** Cost of a note's cycle at the gas prices now, in fri. */
export interface QuotedCost {
  /** With the gas of the simulation. */
  readonly fri: bigint;
  /** With the gas that fee estimates and quotes assume. */
  readonly assumedFri: bigint;
}

/**
 * Refusal of a quoted operation that uses far more gas than quotes assume; null otherwise. Both
 * costs are at the gas prices of now: a quote is binding whatever prices do.
 */
export function costExceedsQuote({ fri, assumedFri }: QuotedCost): CostExceedsQuote | null {
  return fri <= assumedFri * MOST_TIMES
    ? null
    : new CostExceedsQuote({ details: { cost: String(fri), assumed: String(assumedFri) } });
}
