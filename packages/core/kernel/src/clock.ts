/** Time as the cores see it, so that tests can hold it still. */
export abstract class Clock {
  /**
   * Milliseconds since the Unix epoch. May step when the machine's clock is set: for what is shown
   * or compared with another clock.
   */
  abstract nowMs(): number;
  /** Milliseconds since some moment of this process; never steps. For ages and time-outs. */
  abstract monotonicMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
} satisfies Clock;
