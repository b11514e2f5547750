import { systemClock, type Clock } from './clock.js';

/**
 * Time for which a value that reports a failure is cached, in ms. An example of such a value is the
 * result of a failed check.
 */
export const FAILURE_FRESH_MS = 50;

/**
 * Version of a key's value. A value is returned only to callers that request the version for which
 * it was read.
 */
export type CachedVersion = string | number;

export interface CachedSettings<V> {
  /** @default the system's clock */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /**
   * Time for which a value is returned without a new read, in ms, from the start of the read that
   * returned the value. A value with a time of 0 is not cached and does not replace a cached value.
   */
  readonly freshMs: number | ((value: V) => number);
  /**
   * Time for which a value may still be returned while its replacement is read in the background,
   * in ms. The time has the same start as `freshMs`.
   * @default freshMs
   */
  readonly staleMs?: number | ((value: V) => number);
  /**
   * Start of the times `freshMs` and `staleMs`: the start or the end of the read. Use `end` for
   * slow reads if the value contains its age or never changes, because such a read may last longer
   * than `freshMs`.
   * @default start: a value may be as old as its request
   */
  readonly countedFrom?: 'start' | 'end';
  /**
   * Maximum number of values. If there are more values, the value with the oldest read is removed.
   * @default 1,000
   */
  readonly maxEntries?: number;
}

interface Entry<V> {
  readonly value: V;
  readonly version: CachedVersion;
  /** Number of the read. Reads are numbered in the order in which they begin. */
  readonly readNumber: number;
  readonly freshForMs: number;
  readonly expiresAtMs: number;
  refreshAtMs: number;
}

interface Flight<V> {
  readonly key: string;
  readonly value: Promise<V>;
}

/**
 * Reads a value.
 * @param previous value that was cached last for the key, of any age and version; undefined if
 *   there is none
 */
export type CachedRead<V> = (previous: V | undefined) => Promise<V>;

const DEFAULT_MAX_ENTRIES = 1_000;

/**
 * Caches values by key.
 *
 * Callers that request the same value during its read share the read. A value is returned without a
 * read while it is fresh. A failed read is not cached and rejects for all callers that share it. If
 * a refresh of a stale value fails, the stale value is returned until it expires, and the next
 * refresh waits for `freshMs`.
 *
 * The result of a read is not cached in two cases: the read began before a call of `delete` or
 * `clear`, or it began before the read of the value that is cached now.
 */
export class Cached<V> {
  readonly #entries = new Map<string, Entry<V>>();
  /** Running reads, by key and version. */
  readonly #flights = new Map<string, Flight<V>>();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #reads = 0;

  constructor(private readonly settings: CachedSettings<V>) {
    this.#clock = settings.clock ?? systemClock;
  }

  /**
   * Returns the cached value, or the result of `read`. Calls `read` in the same tick, so that a
   * batching client can combine the read with other requests of this tick.
   */
  get(key: string, read: CachedRead<V>, version: CachedVersion = ''): Promise<V> {
    const entry = this.#current(key, version);
    if (entry === undefined) return this.#read(key, version, read);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= entry.refreshAtMs) {
      entry.refreshAtMs = nowMs + entry.freshForMs;
      // The callers of `get` already have the stale value. Callers that share this read get its
      // failure.
      this.#read(key, version, read).catch(() => undefined);
    }
    return Promise.resolve(entry.value);
  }

  /** Returns the value that `get` would return without waiting. Starts no read. */
  peek(key: string, version: CachedVersion = ''): V | undefined {
    return this.#current(key, version)?.value;
  }

  /**
   * Removes the value of a key. A value that was read before this call is never returned after it.
   */
  delete(key: string): void {
    this.#entries.delete(key);
    for (const [name, flight] of this.#flights) if (flight.key === key) this.#flights.delete(name);
  }

  /**
   * Removes the values of all keys. A value that was read before this call is never returned after
   * it.
   */
  clear(): void {
    this.#entries.clear();
    this.#flights.clear();
  }

  #current(key: string, version: CachedVersion): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    return entry?.version === version && this.#clock.monotonicMs() < entry.expiresAtMs
      ? entry
      : undefined;
  }

  #read(key: string, version: CachedVersion, read: CachedRead<V>): Promise<V> {
    const name = `${version}\u0000${key}`;
    const shared = this.#flights.get(name);
    if (shared !== undefined) return shared.value;
    this.#reads += 1;
    const readNumber = this.#reads;
    const startedAtMs = this.#clock.monotonicMs();
    const isWanted = (): boolean => this.#flights.get(name) === flight;
    // The async function makes `read` reject even if it throws before it returns a promise.
    const started = (async () => read(this.#entries.get(key)?.value))();
    const value = (async () => {
      try {
        const newValue = await started;
        if (isWanted()) this.#keep(key, { value: newValue, version, readNumber }, startedAtMs);
        return newValue;
      } finally {
        if (isWanted()) this.#flights.delete(name);
      }
    })();
    const flight = { key, value };
    this.#flights.set(name, flight);
    return value;
  }

  #keep(
    key: string,
    read: Pick<Entry<V>, 'value' | 'version' | 'readNumber'>,
    startedAtMs: number,
  ): void {
    const { freshMs, staleMs = freshMs, maxEntries = DEFAULT_MAX_ENTRIES } = this.settings;
    const sinceMs = this.settings.countedFrom === 'end' ? this.#clock.monotonicMs() : startedAtMs;
    const newer = this.#entries.get(key);
    if (newer !== undefined && newer.readNumber > read.readNumber) return;
    const freshForMs = durationFor(read.value, freshMs);
    const expiresAtMs = sinceMs + Math.max(freshForMs, durationFor(read.value, staleMs));
    if (expiresAtMs <= sinceMs) return;
    // Delete the old entry first, so that the entries are ordered by their reads.
    this.#entries.delete(key);
    const refreshAtMs = sinceMs + freshForMs;
    this.#entries.set(key, { ...read, freshForMs, refreshAtMs, expiresAtMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries) break;
      this.#entries.delete(oldest);
    }
  }
}

function durationFor<V>(value: V, durationMs: number | ((value: V) => number)): number {
  return typeof durationMs === 'function' ? durationMs(value) : durationMs;
}
