import { z } from 'zod';

/** Of an event loop, in milliseconds. */
export const LoopDelay = z.object({
  /** Of the looks, as Node's histogram has them. A long stall is one look, as a short one is. */
  p50Ms: z.number(),
  p99Ms: z.number(),
  /** For all but a hundredth of the time the loop was in no stall longer than this. */
  timeP99Ms: z.number(),
  /** The longest stall. */
  maxMs: z.number(),
});
export type LoopDelay = z.output<typeof LoopDelay>;

/** Looks that stand for all: so many equal portions of them. */
const PORTIONS = 10_000;
const WHOLE = 100;
const MOST_OF_TIME = 0.99;

/**
 * @param quantile at a percentage, the time from one look to the next
 * @param intervalMs how far apart looks are on a loop that is free
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
