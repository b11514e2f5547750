/** How long things took, in milliseconds. */
export interface Spread {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest-rank quantiles, rounded; all 0 of nothing. */
export function spreadOf(durationsMs: readonly number[]): Spread {
  const sorted = durationsMs.toSorted((one, other) => one - other);
  const at = (quantile: number): number =>
    Math.round((sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? 0) * 10) / 10;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
