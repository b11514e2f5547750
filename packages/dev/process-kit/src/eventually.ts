import { systemClock } from '@sotto/kernel';

/** Poll intervals. A poll may cost both sides some milliseconds, and long waits poll less often. */
const LOOK_EVERY_MS = { first: 20, most: 100 };
const PART_OF_WAIT = 0.1;
/** Deadline for a busy machine that is ten times slower than usual. */
const DEADLINE_MS = 300_000;

/**
 * Polls until the result is neither `undefined` nor `false`; returns it.
 * @param what expected event, for the message
 * @throws Error after five minutes, or after `deadlineMs`
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const startMs = systemClock.monotonicMs();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    const waitedMs = systemClock.monotonicMs() - startMs;
    if (waitedMs > deadlineMs) throw new Error(`timed out after ${deadlineMs} ms: ${what}`);
    const { first, most } = LOOK_EVERY_MS;
    await systemClock.sleep(Math.min(most, first + PART_OF_WAIT * waitedMs));
  }
}
