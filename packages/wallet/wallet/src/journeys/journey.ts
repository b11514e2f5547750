export interface EventsOptions {
  /** Signal that ends the loop that reads the events: `events()` then returns. */
  readonly signal?: AbortSignal;
}

/**
 * Work of a journey, which reports events and resolves when the journey ends or the signal aborts.
 */
export type JourneyWork<Event> = (
  emit: (event: Event) => void,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Work that can continue after a restart of the process, and that runs only while its events are
 * read. When the last reader leaves the loop, the work stops. A new reader, or a reload of the
 * page, can resume it from that point.
 */
export class Journey<Event extends { readonly type: string }> {
  /** Id of the journey in its storage. */
  readonly id: string;
  readonly #work: JourneyWork<Event>;
  readonly #store: () => Promise<unknown>;
  readonly #readers = new Set<Reader<Event>>();
  #last: Event | undefined;
  #isOver = false;
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  /** @param store stores a new journey; it is called before the work and may be called again */
  constructor(
    id: string,
    work: JourneyWork<Event>,
    store: () => Promise<unknown> = async () => undefined,
  ) {
    this.id = id;
    this.#work = work;
    this.#store = store;
  }

  /**
   * Stores the journey without running it, so that it can be listed and cancelled.
   * @throws any error of the storage, which may have stored it
   */
  async store(): Promise<void> {
    await this.#store();
  }

  /**
   * Yields the last event, then all new events. Several readers may read at a time. Returns after
   * the event that ends the journey.
   * @throws any error of storage, node or prover that is not reported as an event
   */
  async *events({ signal }: EventsOptions = {}): AsyncGenerator<Event, void, undefined> {
    const reader = new Reader<Event>();
    const leave = (): void => reader.end();
    signal?.addEventListener('abort', leave, { once: true });
    if (signal?.aborted === true) return;
    if (this.#last !== undefined) reader.take(this.#last);
    this.#readers.add(reader);
    this.#start();
    try {
      for (;;) {
        const event = await reader.next();
        if (event === undefined) return;
        yield event;
      }
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#readers.delete(reader);
      if (this.#readers.size === 0) await this.#stop();
    }
  }

  #start(): void {
    if (this.#isOver) this.#end();
    else if (this.#running === undefined) {
      const stop = new AbortController();
      this.#running = { stop, ended: this.#run(stop.signal) };
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      await this.#store();
      await this.#work((event) => this.#emit(event), signal);
      this.#isOver = !signal.aborted;
    } catch (error) {
      if (!signal.aborted) for (const reader of this.#readers) reader.fail(error);
    }
    this.#running = undefined;
    if (this.#isOver) this.#end();
    // A reader arrived while the previous run was stopping.
    else if (signal.aborted && this.#readers.size > 0) this.#start();
  }

  async #stop(): Promise<void> {
    this.#running?.stop.abort(new DOMException('nothing reads the events', 'AbortError'));
    await this.#running?.ended;
  }

  #emit(event: Event): void {
    this.#last = event;
    for (const reader of this.#readers) reader.take(event);
  }

  #end(): void {
    for (const reader of this.#readers) reader.end();
  }
}

/** Queue of unread events of one reader. */
class Reader<Event extends { readonly type: string }> {
  readonly #waiting: Event[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;

  /** Adds an event. A progress event replaces an unread progress event. */
  take(event: Event): void {
    if (event.type === 'proving' && this.#waiting.at(-1)?.type === 'proving') this.#waiting.pop();
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake?.();
  }

  /** @returns undefined after the last event */
  async next(): Promise<Event | undefined> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) return event;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
