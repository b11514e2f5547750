import { systemClock, type Clock } from './clock.js';

/** How long a value is cached that reports a failure, such as a check that did not pass. */
export const FAILURE_FRESH_MS = 50;

/** Names values of one key apart: a value that was read for another version is not returned. */
export type CachedVersion = string | number;

export interface CachedSettings<V> {
  /** @default the system's */
  readonly clock?: Pick<Clock, 'monotonicMs'>;
  /**
   * How long a value is returned as it is, counted from when its read began. One that is never
   * fresh or stale is not cached, and leaves the value that is.
   */
  readonly freshMs: number | ((value: V) => number);
  /**
   * How long a value is returned while a newer one is read in the background, counted likewise.
   * @default as long as it is fresh
   */
  readonly staleMs?: number | ((value: V) => number);
  /**
   * From when on these times count. `end` is for what takes long to read, and either says itself
   * how old it is or does not change: its read may take longer than it is fresh.
   * @default start: an answer may be as old as its question
   */
  readonly countedFrom?: 'start' | 'end';
  /** Above it, the value goes that was read longest ago. @default 1,000 */
  readonly maxEntries?: number;
}

interface Entry<V> {
  readonly value: V;
  readonly version: CachedVersion;
  /** Reads are numbered in the order in which they began. */
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
 * @param previous the value that was cached last for the key, however old, of whatever version
 */
export type CachedRead<V> = (previous: V | undefined) => Promise<V>;

const DEFAULT_MAX_ENTRIES = 1_000;

/**
 * Caches what was read, by key. Callers that ask for the same while it is read share the read, and
 * a value is returned while it is fresh. A failed read rejects for those who share it and is not
 * cached; where it was to refresh a stale value, that is returned until it expires, and the next
 * refresh waits for `freshMs`. A read that began before `delete` or `clear`, or before the read of
 * the value that is cached by then, is not cached.
 */
export class Cached<V> {
  readonly #entries = new Map<string, Entry<V>>();
  /** By key and version. */
  readonly #flights = new Map<string, Flight<V>>();
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #reads = 0;

  constructor(private readonly settings: CachedSettings<V>) {
    this.#clock = settings.clock ?? systemClock;
  }

  /**
   * The cached value, else what `read` resolves to. `read` is called before this returns, so that a
   * batching client can join it with what else is asked in the same tick.
   */
  get(key: string, read: CachedRead<V>, version: CachedVersion = ''): Promise<V> {
    const entry = this.#current(key, version);
    if (entry === undefined) return this.#read(key, version, read);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= entry.refreshAtMs) {
      entry.refreshAtMs = nowMs + entry.freshForMs;
      // The callers of the stale value have an answer; who shares this read gets its failure.
      this.#read(key, version, read).catch(() => undefined);
    }
    return Promise.resolve(entry.value);
  }

  /** The value that `get` would return without waiting; it reads nothing. */
  peek(key: string, version: CachedVersion = ''): V | undefined {
    return this.#current(key, version)?.value;
  }

  /** What is returned from now on was read after this call. */
  delete(key: string): void {
    this.#entries.delete(key);
    for (const [name, flight] of this.#flights) if (flight.key === key) this.#flights.delete(name);
  }

  /** The same for every key. */
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
    // `read` is async even where it throws before it returns a promise.
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
    // Deleted first, so that the order of the entries is the order in which they were read.
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
