import { CostExceedsQuote } from '../../errors.js';

/** Maximum multiple of the assumed cost at which a quote still binds. */
const MOST_TIMES = 2n;

/** Cost of a note's cycle at current gas prices, in fri. */
export interface QuotedCost {
  /** Cost with the gas of the simulation. */
  readonly fri: bigint;
  /** Cost with the gas that fee estimates and quotes assume. */
  readonly assumedFri: bigint;
}

/**
 * Returns the error if a quoted operation uses far more gas than quotes assume; null otherwise.
 * Both costs use current gas prices, because a quote stays binding when prices change.
 */
export function costExceedsQuote({ fri, assumedFri }: QuotedCost): CostExceedsQuote | null {
  return fri <= assumedFri * MOST_TIMES
    ? null
    : new CostExceedsQuote({ details: { cost: String(fri), assumed: String(assumedFri) } });
}
