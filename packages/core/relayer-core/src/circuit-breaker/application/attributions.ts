import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';

/** Key and caller of one attempt, and the time at which they were recorded. */
interface Attribution {
  readonly key: string;
  readonly caller: Caller;
  readonly sinceMs: number;
}

/**
 * Time for which the caller of an attempt is stored, in milliseconds. An attempt is in flight for
 * minutes, and after its end a loss is charged to the caller for an hour.
 */
const KEPT_MS = 2 * 3_600_000;
/**
 * Maximum number of stored attributions. One service accepts fewer attempts than this within
 * `KEPT_MS`.
 */
const MAX_KEPT = 50_000;

/**
 * Stores the caller of each attempt in memory. Callers never leave the memory of this process: they
 * are not written to the store, logged or returned. The callers of attempts that another instance
 * accepted are unknown here.
 */
export class Attributions {
  /** Attributions by attempt id, oldest first. */
  readonly #byId = new Map<string, Attribution>();
  /** Id of the newest attempt of each key. */
  readonly #idOf = new Map<string, string>();

  /**
   * @param maxKept maximum number of attributions; if there are more, the oldest are dropped.
   *   @default {@link MAX_KEPT}
   */
  constructor(private readonly maxKept = MAX_KEPT) {}

  /** @param nowMs present time of a monotonic clock, in milliseconds */
  remember({ id, key }: Pick<Attempt, 'id' | 'key'>, caller: Caller, nowMs: number): void {
    for (const [oldest, { key: oldKey, sinceMs }] of this.#byId) {
      if (this.#byId.size < this.maxKept && nowMs - sinceMs < KEPT_MS) break;
      this.#byId.delete(oldest);
      if (this.#idOf.get(oldKey) === oldest) this.#idOf.delete(oldKey);
    }
    this.#byId.set(id, { key, caller, sinceMs: nowMs });
    this.#idOf.set(key, id);
  }

  /** Returns the caller of the attempt with this id; null if the caller is unknown. */
  callerOf(id: string): Caller | null {
    return this.#byId.get(id)?.caller ?? null;
  }

  /** Returns the widest network of an attempt's caller; null if the caller is unknown. */
  networkOf(id: string): string | null {
    const caller = this.callerOf(id);
    return caller === null || caller === UNNAMED_CALLER ? null : widestOf(caller);
  }

  /** Returns the caller of the newest attempt under a key; null if the caller is unknown. */
  callerOfKey(key: string): Caller | null {
    const id = this.#idOf.get(key);
    return id === undefined ? null : this.callerOf(id);
  }
}
