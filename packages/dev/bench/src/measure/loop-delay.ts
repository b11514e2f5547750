import { z } from 'zod';

/** Delay of an event loop, in milliseconds. */
export const LoopDelay = z.object({
  /**
   * Percentiles of the samples in Node's histogram. A stall is only one sample, regardless of its
   * length.
   */
  p50Ms: z.number(),
  p99Ms: z.number(),
  /**
   * Longest stall, after the longest stalls that sum up to a hundredth of the time are excluded.
   */
  timeP99Ms: z.number(),
  /** Longest stall of all samples. */
  maxMs: z.number(),
});
export type LoopDelay = z.output<typeof LoopDelay>;

/** Number of percentiles at which the histogram is read. */
const PORTIONS = 10_000;
const WHOLE = 100;
const MOST_OF_TIME = 0.99;

/**
 * Computes the delays from percentiles of a histogram.
 * @param quantile returns the interval between samples at this percentile, in ms
 * @param intervalMs interval between samples on an idle loop
 */
export function loopDelayOf(quantile: (percent: number) => number, intervalMs: number): LoopDelay {
  const beyond = (ms: number): number => Math.max(0, ms - intervalMs);
  const looks = Array.from({ length: PORTIONS }, (_, index) =>
    quantile((WHOLE * (index + 1)) / PORTIONS),
  );
  const all = looks.reduce((sum, ms) => sum + ms, 0);
  let passed = 0;
  const atMost = looks.find((ms) => {
    passed += ms;
    return passed >= MOST_OF_TIME * all;
  });
  return {
    p50Ms: beyond(quantile(50)),
    p99Ms: beyond(quantile(99)),
    timeP99Ms: beyond(atMost ?? 0),
    maxMs: beyond(quantile(WHOLE)),
  };
}
