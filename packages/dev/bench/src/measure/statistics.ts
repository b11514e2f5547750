/** The same measured several times. */
export interface Rounds {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: readonly number[];
}

/** @throws RangeError without any */
export function roundsOf(values: readonly number[]): Rounds {
  return {
    median: quantile(values, 0.5),
    min: Math.min(...values),
    max: Math.max(...values),
    rounds: values,
  };
}

/** How long many things took, in milliseconds. */
export interface Durations {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function durationsOf(milliseconds: readonly number[]): Durations {
  const at = (portion: number): number => quantile(milliseconds, portion);
  return { count: milliseconds.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Nearest rank. @throws RangeError of nothing */
function quantile(values: readonly number[], portion: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil(portion * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('nothing was measured');
  return found;
}
