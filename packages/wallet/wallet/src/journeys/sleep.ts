/** Waits for `ms` milliseconds. @throws the signal's reason when the signal aborts */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', wake);
      resolve();
    }, ms);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake, { once: true });
  });
}

/**
 * Returns the result of `work` unless the signal aborts first. Use this function for work that
 * accepts no signal, such as a question to the user.
 * @throws the signal's reason when the signal aborts; any error of `work`
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
}

/**
 * Runs `work` with a signal that aborts with the given signal, and after `timeoutMs` with a
 * `TimeoutError`. If `work` ignores the signal, it continues to run, but its result is dropped.
 * @throws any error of `work`; the signal's reason when the signal aborts
 */
export async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException('too late', 'TimeoutError')),
    timeoutMs,
  );
  try {
    const either = AbortSignal.any([signal, late.signal]);
    return await unlessAborted(either, work(either));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `ask` and returns its result, or undefined if `ask` fails or exceeds the timeout.
 * @throws the signal's reason when the signal aborts
 */
export async function answerWithin<T>(
  timeoutMs: number,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await within(timeoutMs, signal, ask);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
