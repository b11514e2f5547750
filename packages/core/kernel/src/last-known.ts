import type { Clock } from './clock.js';
import { DomainError, causeCodeOf } from './errors.js';

/** Reason why there is no current value, and the age of the last known value. */
export interface NotAnswered {
  /** The error's code, or `TIMED_OUT`. */
  readonly code: string;
  /**
   * Code of the socket, operating system or database error that caused the failure; null if there
   * is none.
   */
  readonly cause: string | null;
  /**
   * Age of the last known value, which is returned instead, in ms; null if there is no last known
   * value.
   */
  readonly knownAgoMs: number | null;
}

/** Current value, or the last known value with the reason why it is not current. */
export interface Known<V> {
  /** The value; null if it could not be read since the start of the process. */
  readonly value: V | null;
  readonly notAnswered: NotAnswered | null;
}

/**
 * Maximum wait for a read, in ms. A request should be answered within a second; the rest of this
 * second is left for the other parts of the response.
 */
const WAIT_MS = 700;
/**
 * Age at which a running read is assumed never to end, in ms. From this age on, a new read may
 * begin.
 */
const ABANDON_MS = 30_000;

type Ended<V> = { readonly value: V } | { readonly error: unknown };

interface Reading<V> {
  readonly startedMs: number;
  readonly ended: Promise<Ended<V>>;
}

/**
 * Value that is read for each caller and returned within a limited time, even if it is not current.
 * While a read is late, new callers wait for the same read and begin no other read.
 */
export class LastKnown<V> {
  #known: { readonly value: V; readonly startedMs: number } | null = null;
  #late: Reading<V> | null = null;

  constructor(
    private readonly read: () => Promise<V>,
    private readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
  ) {}

  /**
   * Returns the value within a limited time. Rejects only with an error of `read` that is not a
   * `DomainError`, because such an error is a bug.
   */
  async get(): Promise<Known<V>> {
    const nowMs = this.clock.monotonicMs();
    if (this.#late !== null && nowMs - this.#late.startedMs >= ABANDON_MS) this.#late = null;
    const reading = this.#late ?? this.#begin(nowMs);
    const over = new AbortController();
    const ended = await Promise.race([reading.ended, this.clock.sleep(WAIT_MS, over.signal)]);
    over.abort();
    if (ended === undefined) {
      this.#late ??= reading;
      return this.#instead({ code: 'TIMED_OUT', cause: null });
    }
    if ('value' in ended) return { value: ended.value, notAnswered: null };
    const { error } = ended;
    if (!(error instanceof DomainError)) throw error;
    return this.#instead({ code: error.code, cause: error.causeCode ?? causeCodeOf(error) });
  }

  #instead(because: Omit<NotAnswered, 'knownAgoMs'>): Known<V> {
    const known = this.#known;
    const knownAgoMs = known === null ? null : this.clock.monotonicMs() - known.startedMs;
    return { value: known?.value ?? null, notAnswered: { ...because, knownAgoMs } };
  }

  #begin(startedMs: number): Reading<V> {
    const ended = this.#run(startedMs).finally(() => this.#end(reading));
    const reading: Reading<V> = { startedMs, ended };
    return reading;
  }

  #end(reading: Reading<V>): void {
    if (this.#late === reading) this.#late = null;
  }

  /** Runs a read. Never rejects, because a late read has no caller that handles the error. */
  async #run(startedMs: number): Promise<Ended<V>> {
    try {
      const value = await this.read();
      // A read that began before another one may end after it. Its value is then older and must not
      // replace the newer value.
      if (this.#known === null || this.#known.startedMs <= startedMs)
        this.#known = { value, startedMs };
      return { value };
    } catch (error) {
      return { error };
    }
  }
}
