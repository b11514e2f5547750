import { systemClock } from '@sotto/kernel';

const LOOK_EVERY_MS = 20;
/** For a machine that is ten times slower than usual, and busy. */
const DEADLINE_MS = 300_000;

/**
 * The first thing but `undefined` and `false` that `look` finds.
 * @param what is waited for, for the message
 * @throws Error after five minutes
 */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const untilMs = systemClock.monotonicMs() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (systemClock.monotonicMs() > untilMs)
      throw new Error(`timed out after ${DEADLINE_MS} ms: ${what}`);
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
