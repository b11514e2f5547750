import type { Clock } from '@sotto/kernel';

/** What one reader has not read yet: so many events at most, and then it is dropped. */
export class EventStream<Event> {
  #queued: Event[] = [];
  #isDropped = false;
  #arrival = new AbortController();

  constructor(private readonly maxQueued: number) {}

  /** The reader was too slow. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  put(event: Event): void {
    if (this.#isDropped) return;
    if (this.#queued.length >= this.maxQueued) {
      this.#isDropped = true;
      this.#queued = [];
    } else this.#queued.push(event);
    this.#arrival.abort();
  }

  take(): Event | undefined {
    return this.#queued.shift();
  }

  /** Resolves when something arrives, it is dropped, the time is over, or the signal aborts. */
  async wait(clock: Pick<Clock, 'sleep'>, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#queued.length > 0 || this.#isDropped) return;
    this.#arrival = new AbortController();
    await clock.sleep(ms, AbortSignal.any([this.#arrival.signal, signal]));
  }
}
