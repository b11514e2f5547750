import { CostExceedsQuote } from '../../errors.js';

/** Maximum ratio of the actual cost to the assumed cost up to which a quote is binding. */
const MOST_TIMES = 2n;

/** Cost of a note's three transactions at current gas prices, in fri. */
export interface QuotedCost {
  /** Cost computed with the gas of the simulation, in fri. */
  readonly fri: bigint;
  /** Cost computed with the gas that fee estimates and quotes assume, in fri. */
  readonly assumedFri: bigint;
}

/**
 * Returns the error if a quoted operation uses far more gas than quotes assume; null otherwise.
 * Both costs are at current gas prices, because a quote remains binding when prices change.
 */
export function costExceedsQuote({ fri, assumedFri }: QuotedCost): CostExceedsQuote | null {
  return fri <= assumedFri * MOST_TIMES
    ? null
    : new CostExceedsQuote({ details: { cost: String(fri), assumed: String(assumedFri) } });
}
