import { Cached, type Clock } from '@sotto/kernel';

/** Value, with the time to which the value applies. */
export interface Timestamped<T> {
  readonly value: T;
  readonly asOfMs: number;
}

/**
 * Usable value of a source. If there is no usable value, states whether a read ever succeeded. Also
 * contains the error of the last read if that read failed.
 */
export type Kept<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly hasEverSucceeded: boolean; readonly failure: Error | null };

export interface RefreshingValueSettings {
  /**
   * Age of a value in milliseconds from which the value is read again in the background. Until this
   * read ends, the old value is still returned.
   */
  readonly refreshMs: number;
  /**
   * Maximum difference between the time of the data and the current time, in milliseconds. The
   * limit also applies to data whose time is in the future.
   */
  readonly maxAgeMs: number;
  /**
   * Maximum milliseconds from the start of a read for which a caller without a usable value waits.
   */
  readonly waitMs: number;
  /** True if callers wait for a read even after a read has failed. */
  readonly waitAfterFailure: boolean;
}

/**
 * Caches the newest usable value of a source. While this value is young enough, a caller gets it at
 * once. A caller waits for a read only if there is no usable value. The age is measured from the
 * time of the data.
 */
export class RefreshingValue<T> {
  readonly #values: Cached<Timestamped<T> & { readonly usableForMs: number }>;
  #hasEverSucceeded = false;
  #failure: Error | null = null;
  #readStartedAtMs = Number.NEGATIVE_INFINITY;

  /**
   * @param read reads the value; it must settle within its own deadline
   * @param onFailure called for every failed read
   */
  constructor(
    private readonly read: () => Promise<Timestamped<T>>,
    private readonly clock: Clock,
    private readonly settings: RefreshingValueSettings,
    private readonly onFailure: (error: Error) => void,
  ) {
    // The age of a value is measured by the monotonic clock from the read on, so a change of the
    // system clock does not affect it. A value that is already too old when it is read is not
    // cached. So a good value is never replaced if the source returns old data again.
    this.#values = new Cached({
      clock,
      freshMs: ({ usableForMs }) => Math.min(settings.refreshMs, usableForMs),
      staleMs: ({ usableForMs }) => usableForMs,
    });
  }

  /**
   * Returns the usable value, or the reason why there is none. A due read starts before the call
   * returns, so that a batching client can combine the read with other requests of the same tick.
   * Never rejects.
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
      // A value whose age equals the maximum is still used.
      const usableForMs = Math.abs(ageMs) > maxAgeMs ? 0 : maxAgeMs - ageMs + 1;
      return { ...read, usableForMs };
    } catch (error) {
      this.#failure =
        error instanceof Error
          ? error
          : new Error('the thrown value is not an error', { cause: error });
      this.onFailure(this.#failure);
      throw error;
    }
  }

  /** Waits until the read ends, but at most until `waitMs` after its start. */
  async #inTime(reading: Promise<void>): Promise<void> {
    const leftMs = this.#readStartedAtMs + this.settings.waitMs - this.clock.monotonicMs();
    if (leftMs <= 0) return;
    const alarm = new AbortController();
    await Promise.race([reading, this.clock.sleep(leftMs, alarm.signal)]);
    alarm.abort();
  }
}
