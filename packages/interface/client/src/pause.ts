const MS_PER_SECOND = 1_000;
const FIRST_MS = 500;
const LONGEST_MS = 16_000;
const SECONDS = /^\d{1,6}$/;

/** Returns the `Retry-After` of a reply in ms; undefined unless it is a number of seconds. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return SECONDS.test(seconds) ? Number(seconds) * MS_PER_SECOND : undefined;
}

/**
 * Returns the wait in ms after this many consecutive failures. The wait grows by up to a factor of
 * 2 each time, to at most 16 s. Part of the wait is random, so clients that failed at the same time
 * do not retry at the same time.
 */
export function backOffMs(failures: number): number {
  const longest = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
  return longest * (0.5 + Math.random() / 2);
}

const LONGEST_LOOK_MS = 60_000;

/**
 * Limits the wait between two polls to at least 0.5 s and at most 60 s, regardless of the reply's
 * `Retry-After`. Argument and result are in ms.
 */
export const withinBounds = (ms: number): number =>
  Math.min(Math.max(ms, FIRST_MS), LONGEST_LOOK_MS);

/**
 * True if a retry may succeed: the caller exceeded its rate limit (429), or the service failed
 * (5xx).
 */
export const mayPass = (status: number): boolean => status === 429 || status >= 500;

/** Waits for this time, in ms. @throws the signal's reason when it aborts */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', wake);
      resolve();
    }, ms);
    if (signal?.aborted === true) wake();
    else signal?.addEventListener('abort', wake, { once: true });
  });
}
