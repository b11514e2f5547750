import { Cached, type Clock } from '@sotto/kernel';

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
  /** After this time a value is still used, and read again in the background. */
  readonly refreshMs: number;
  /** Values that speak of an older time are not used, nor ones of as far in the future. */
  readonly maxAgeMs: number;
  /** How long after a read has begun its end is waited for, when there is nothing to use. */
  readonly waitMs: number;
  /** Whether it is waited for even though the read before it failed. */
  readonly waitAfterFailure: boolean;
}

/**
 * The newest good value of a source, judged by the time that it speaks of. A caller gets it at once
 * while it is young enough; only with nothing to use is a read waited for.
 */
export class RefreshingValue<T> {
  readonly #values: Cached<Timestamped<T> & { readonly usableForMs: number }>;
  #hasEverSucceeded = false;
  #failure: Error | null = null;
  #readStartedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param read settles within a time of its own
   * @param onFailure is called for every failed read
   */
  constructor(
    private readonly read: () => Promise<Timestamped<T>>,
    private readonly clock: Clock,
    private readonly settings: RefreshingValueSettings,
    private readonly onFailure: (error: Error) => void,
  ) {
    // By the monotonic clock from the read on: a clock that is set later makes a value neither
    // younger nor older. One that is too old when it is read is not cached, so a source that has
    // gone back in time takes nothing away.
    this.#values = new Cached({
      clock,
      freshMs: ({ usableForMs }) => Math.min(settings.refreshMs, usableForMs),
      staleMs: ({ usableForMs }) => usableForMs,
    });
  }

  /**
   * Begins a read before it returns if one is due, so that a batching client can join it with what
   * else is asked in the same tick. Never rejects.
   */
  async get(): Promise<Kept<T>> {
    const failedBefore = this.#failure !== null;
    const reading = this.#values.get('', () => this.#read());
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    if (this.#values.peek('') === undefined && (!failedBefore || this.settings.waitAfterFailure))
      await this.#inTime(settled);
    const cached = this.#values.peek('');
    return cached === undefined
      ? { known: false, hasEverSucceeded: this.#hasEverSucceeded, failure: this.#failure }
      : { known: true, value: cached.value };
  }

  async #read(): Promise<Timestamped<T> & { readonly usableForMs: number }> {
    const nowMs = this.clock.nowMs();
    this.#readStartedAtMs = this.clock.monotonicMs();
    try {
      const read = await this.read();
      this.#hasEverSucceeded = true;
      this.#failure = null;
      const ageMs = nowMs - read.asOfMs;
      const { maxAgeMs } = this.settings;
      // A value of exactly the highest age is used.
      const usableForMs = Math.abs(ageMs) > maxAgeMs ? 0 : maxAgeMs - ageMs + 1;
      return { ...read, usableForMs };
    } catch (error) {
      this.#failure =
        error instanceof Error
          ? error
          : new Error('something that is no error was thrown', { cause: error });
      this.onFailure(this.#failure);
      throw error;
    }
  }

  /** Waits for a read until `waitMs` after it began. */
  async #inTime(reading: Promise<void>): Promise<void> {
    const leftMs = this.#readStartedAtMs + this.settings.waitMs - this.clock.monotonicMs();
    if (leftMs <= 0) return;
    const alarm = new AbortController();
    await Promise.race([reading, this.clock.sleep(leftMs, alarm.signal)]);
    alarm.abort();
  }
}
