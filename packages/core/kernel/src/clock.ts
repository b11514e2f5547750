/** Source of time for the cores. Tests replace it by a clock that they control. */
export abstract class Clock {
  /**
   * Returns milliseconds since the Unix epoch. The value may jump when the machine's clock is set.
   * Use it for display, or for comparison with another clock.
   */
  abstract nowMs(): number;
  /**
   * Returns milliseconds since a fixed moment of this process. The value never jumps. Use it for
   * ages and time-outs.
   */
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
