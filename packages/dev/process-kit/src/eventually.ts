import { systemClock } from '@sotto/kernel';

/**
 * Poll intervals, in ms. A poll costs some milliseconds of CPU time in both processes. Therefore a
 * long wait uses the longer interval.
 */
const POLL_EVERY_MS = { first: 20, most: 100 };
const PART_OF_WAIT = 0.1;
/** Deadline in ms, long enough for a machine that is ten times slower than usual. */
const DEADLINE_MS = 300_000;

/**
 * Polls until the result is neither `undefined` nor `false`, and returns the result.
 * @param what expected event, for the error message
 * @throws Error after five minutes, or after `deadlineMs`
 */
export async function eventually<T>(
  what: string,
  poll: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const startMs = systemClock.monotonicMs();
  for (;;) {
    const found = await poll();
    if (found !== undefined && found !== false) return found;
    const waitedMs = systemClock.monotonicMs() - startMs;
    if (waitedMs > deadlineMs) throw new Error(`timed out after ${deadlineMs} ms: ${what}`);
    const { first, most } = POLL_EVERY_MS;
    await systemClock.sleep(Math.min(most, first + PART_OF_WAIT * waitedMs));
  }
}
