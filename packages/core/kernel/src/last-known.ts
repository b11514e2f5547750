import type { Clock } from './clock.js';
import { DomainError, causeCodeOf } from './errors.js';

/** Why there is no answer of now. */
export interface NotAnswered {
  /** `TIMED_OUT`, or the error's code. */
  readonly code: string;
  /** Of a socket, operating system or database below the error; null without one. */
  readonly cause: string | null;
  /** How old the value is that stands in; null where none does. */
  readonly knownAgoMs: number | null;
}

/** A value of now, or else the last one and why it is not of now. */
export interface Known<V> {
  /** Null when it could not be read since the start. */
  readonly value: V | null;
  readonly notAnswered: NotAnswered | null;
}

/** Leaves time for the rest of an answer within a second. */
const WAIT_MS = 700;
/** A read that has not ended by then never will: another one may begin. */
const ABANDON_MS = 30_000;

type Ended<V> = { readonly value: V } | { readonly error: unknown };

interface Reading<V> {
  readonly startedMs: number;
  readonly ended: Promise<Ended<V>>;
}

/**
 * A value that is read for each caller, where an answer in limited time is worth more than a fresh
 * one. While a read is late, callers wait for that one and begin no other.
 */
export class LastKnown<V> {
  #known: { readonly value: V; readonly startedMs: number } | null = null;
  #late: Reading<V> | null = null;

  constructor(
    private readonly read: () => Promise<V>,
    private readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
  ) {}

  /** Ends in limited time. Rejects only with an error of `read` that is no `DomainError`: a bug. */
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

  /** Never rejects: a late read has no caller left who would notice. */
  async #run(startedMs: number): Promise<Ended<V>> {
    try {
      const value = await this.read();
      // What an earlier read shows, and ends later, is older.
      if (this.#known === null || this.#known.startedMs <= startedMs)
        this.#known = { value, startedMs };
      return { value };
    } catch (error) {
      return { error };
    }
  }
}
