/** Repeated measurements of one figure, with their statistics. */
export interface Rounds {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: readonly number[];
}

/** @throws RangeError if there are no values */
export function roundsOf(values: readonly number[]): Rounds {
  return {
    median: quantile(values, 0.5),
    min: Math.min(...values),
    max: Math.max(...values),
    rounds: values,
  };
}

/**
 * Divides the measurements of two figures round by round. In each round, both figures were measured
 * one after the other.
 * @throws RangeError if the numbers of rounds differ
 */
export function ratiosOf(ones: Rounds, others: Rounds): Rounds {
  if (ones.rounds.length !== others.rounds.length)
    throw new RangeError('rounds that were not measured in turns');
  return roundsOf(ones.rounds.map((one, round) => one / (others.rounds[round] ?? Number.NaN)));
}

/** Statistics of durations, in milliseconds. */
export interface Durations {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function durationsOf(milliseconds: readonly number[]): Durations {
  const at = (portion: number): number => quantile(milliseconds, portion);
  return {
    count: milliseconds.length,
    min: Math.min(...milliseconds),
    max: Math.max(...milliseconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Statistics of durations for reports, in milliseconds. */
export type Spread = Omit<Durations, 'min'>;

/**
 * Computes statistics of durations, rounded to tenths of a millisecond. All values are 0 if there
 * are no durations.
 */
export function spreadOf(milliseconds: readonly number[]): Spread {
  const count = milliseconds.length;
  const { p50, p95, p99, max } = durationsOf(count === 0 ? [0] : milliseconds);
  return { count, p50: tenths(p50), p95: tenths(p95), p99: tenths(p99), max: tenths(max) };
}

/** Returns the quantile by nearest rank. @throws RangeError if there are no values */
function quantile(values: readonly number[], portion: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil(portion * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('nothing was measured');
  return found;
}
