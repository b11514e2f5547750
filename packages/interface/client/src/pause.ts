const MS_PER_SECOND = 1_000;
const FIRST_MS = 500;
const LONGEST_MS = 16_000;
const SECONDS = /^\d{1,6}$/;

/** What an answer's `Retry-After` says, in ms; undefined without one in seconds. */
export function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return SECONDS.test(seconds) ? Number(seconds) * MS_PER_SECOND : undefined;
}

/**
 * How long to wait after so many failures in a row, in ms: up to twice as long each time, and at
 * most 16 s. Clients that failed together come back one by one.
 */
export function backOffMs(failures: number): number {
  const longest = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS);
  return longest * (0.5 + Math.random() / 2);
}

const LONGEST_LOOK_MS = 60_000;

/** A wait between two looks, in ms: within what is of use, whatever an answer says. */
export const withinBounds = (ms: number): number =>
  Math.min(Math.max(ms, FIRST_MS), LONGEST_LOOK_MS);

/** Whether a later try may get another answer: the caller's budget is used up, or a defect. */
export const mayPass = (status: number): boolean => status === 429 || status >= 500;

/** @throws the signal's reason when that aborts */
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
