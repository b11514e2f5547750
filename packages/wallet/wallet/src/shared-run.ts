/**
 * Work that concurrent callers share. The work is aborted when all callers have stopped waiting. If
 * only some callers stop, the remaining callers still get the result.
 */
export class SharedRun<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>;
  #running: { readonly done: Promise<T>; readonly abort: () => void; waiting: number } | undefined;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  /** Starts the work unless it is already running, and returns its result. */
  async run(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const running = (this.#running ??= this.#start());
    running.waiting += 1;
    try {
      return await untilAborted(running.done, signal);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        if (this.#running === running) this.#running = undefined;
        running.abort();
      }
    }
  }

  #start() {
    const controller = new AbortController();
    const done = this.#work(controller.signal);
    const running = { done, abort: () => controller.abort(), waiting: 0 };
    const forget = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    // Ignore the rejection here: callers receive it from `done`.
    void done.then(forget, forget);
    return running;
  }
}

async function untilAborted<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return done;
  const stopped = new AbortController();
  try {
    return await Promise.race([
      done,
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { signal: stopped.signal });
      }),
    ]);
  } finally {
    stopped.abort();
  }
}
