import { systemClock } from '@sotto/kernel';

/** A look may cost both sides some milliseconds, so what takes long is looked at less often. */
const LOOK_EVERY_MS = { first: 20, most: 100 };
const PART_OF_WAIT = 0.1;
/** For a machine that is ten times slower than usual, and busy. */
const DEADLINE_MS = 300_000;

/**
 * The first thing but `undefined` and `false` that `look` finds.
 * @param what is waited for, for the message
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
