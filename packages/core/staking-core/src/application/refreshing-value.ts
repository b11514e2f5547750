import type { Clock } from '@sotto/kernel';

/** A value, and the time that it speaks of. */
export interface Timestamped<T> {
  readonly value: T;
  readonly asOfMs: number;
}

/**
 * What can be said now. When nothing can: whether something ever could, and why the last read
 * failed, if it did.
 */
export type Kept<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly hasEverSucceeded: boolean; readonly failure: Error | null };

export interface RefreshingValueSettings {
  /** After this time a value is still used, but read again; a failed read is tried again. */
  readonly refreshMs: number;
  /** Values that speak of an older time are not used, nor ones of as far in the future. */
  readonly maxAgeMs: number;
  /** How long after a read has begun its end is waited for, when there is nothing to use. */
  readonly waitMs: number;
  /** Whether it is waited for even though the read before it failed. */
  readonly waitAfterFailure: boolean;
}

interface Read<T> extends Timestamped<T> {
  /** How old it was by its own date when it was read. */
  readonly ageMs: number;
  /** By the monotonic clock: a clock that is set later makes it neither younger nor older. */
  readonly readAtMs: number;
}

interface Reading {
  readonly startedAtMs: number;
  readonly ended: Promise<void>;
}

/**
 * Remembers what a source said. Any caller gets the last good value at once while that is young
 * enough, and a read in the background is begun when it is due; there is never more than one read
 * under way. Only with nothing to use is a read waited for.
 */
export class RefreshingValue<T> {
  #last: Read<T> | null = null;
  #failure: Error | null = null;
  #reading: Reading | null = null;
  #dueAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param read settles within a time of its own
   * @param onFailure is called for every failed read
   */
  constructor(
    private readonly read: () => Promise<Timestamped<T>>,
    private readonly clock: Clock,
    private readonly settings: RefreshingValueSettings,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /**
   * Begins a read before it returns if one is due, so that a batching client can join it with what
   * else is asked in the same tick. Never rejects.
   */
  async get(): Promise<Kept<T>> {
    if (this.#reading === null && this.clock.monotonicMs() >= this.#dueAtMs) this.#begin();
    if (!this.#usable(this.#last)) await this.#wait();
    const last = this.#last;
    return this.#usable(last)
      ? { known: true, value: last.value }
      : { known: false, hasEverSucceeded: last !== null, failure: this.#failure };
  }

  #begin(): void {
    const startedAtMs = this.clock.monotonicMs();
    this.#dueAtMs = startedAtMs + this.settings.refreshMs;
    this.#reading = { startedAtMs, ended: this.#run() };
  }

  async #run(): Promise<void> {
    try {
      const dated = await this.read();
      const read = {
        ...dated,
        ageMs: this.clock.nowMs() - dated.asOfMs,
        readAtMs: this.clock.monotonicMs(),
      };
      // What is still good is not taken away by a source that has gone back in time.
      if (this.#usable(read) || !this.#usable(this.#last)) this.#last = read;
      this.#failure = null;
    } catch (error) {
      this.#failure =
        error instanceof Error
          ? error
          : new Error('something that is no error was thrown', { cause: error });
      this.onFailure(this.#failure);
    } finally {
      this.#reading = null;
    }
  }

  async #wait(): Promise<void> {
    const reading = this.#reading;
    if (reading === null || (this.#failure !== null && !this.settings.waitAfterFailure)) return;
    const leftMs = reading.startedAtMs + this.settings.waitMs - this.clock.monotonicMs();
    if (leftMs <= 0) return;
    const alarm = new AbortController();
    await Promise.race([reading.ended, this.clock.sleep(leftMs, alarm.signal)]);
    alarm.abort();
  }

  #usable(last: Read<T> | null): last is Read<T> {
    return (
      last !== null &&
      Math.abs(last.ageMs + this.clock.monotonicMs() - last.readAtMs) <= this.settings.maxAgeMs
    );
  }
}
