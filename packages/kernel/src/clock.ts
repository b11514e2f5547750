/** Time as the cores see it, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May step when the machine's clock is set: for what is shown or compared with another clock. */
  nowMs(): number;
  /** Milliseconds since some moment of this process; never steps. For ages and time-outs. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const Clock: unique symbol = Symbol.for('@sotto/kernel/Clock');

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
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
};
