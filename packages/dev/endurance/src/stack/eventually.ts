import { systemClock } from '@sotto/kernel';

const LOOK_EVERY_MS = 50;

/**
 * The first thing but `undefined` and `false` that `look` finds.
 * @param what is waited for, for the message
 * @throws Error after `timeoutMs`
 */
export async function eventually<T>(
  what: string,
  timeoutMs: number,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const untilMs = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (systemClock.monotonicMs() > untilMs)
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
