import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';

/** Caller of one attempt. */
interface Attribution {
  readonly key: string;
  readonly caller: Caller;
  readonly sinceMs: number;
}

/** An attempt is in flight for minutes, and its loss counts for an hour afterwards. */
const KEPT_MS = 2 * 3_600_000;
/** More attempts than one service accepts in that time. */
const MAX_KEPT = 50_000;

/**
 * Remembers the caller of each attempt. Callers stay in the memory of this process: they are not
 * stored, logged or returned. Attempts that another instance accepted have no caller here.
 */
export class Attributions {
  /** Attributions by attempt id, oldest first. */
  readonly #byId = new Map<string, Attribution>();
  /** Id of the newest attempt of each key. */
  readonly #idOf = new Map<string, string>();

  /**
   * @param maxKept maximum number of attributions; the oldest are dropped. @default
   *   {@link MAX_KEPT}
   */
  constructor(private readonly maxKept = MAX_KEPT) {}

  /** @param nowMs time by a monotonic clock */
  remember({ id, key }: Pick<Attempt, 'id' | 'key'>, caller: Caller, nowMs: number): void {
    for (const [oldest, { key: oldKey, sinceMs }] of this.#byId) {
      if (this.#byId.size < this.maxKept && nowMs - sinceMs < KEPT_MS) break;
      this.#byId.delete(oldest);
      if (this.#idOf.get(oldKey) === oldest) this.#idOf.delete(oldKey);
    }
    this.#byId.set(id, { key, caller, sinceMs: nowMs });
    this.#idOf.set(key, id);
  }

  /** Returns the caller of an attempt; null if unknown. */
  callerOf(id: string): Caller | null {
    return this.#byId.get(id)?.caller ?? null;
  }

  /** Widest network of an attempt's caller; null if no caller is known. */
  networkOf(id: string): string | null {
    const caller = this.callerOf(id);
    return caller === null || caller === UNNAMED_CALLER ? null : widestOf(caller);
  }

  /** Returns the caller of the newest attempt under a key; null if unknown. */
  callerOfKey(key: string): Caller | null {
    const id = this.#idOf.get(key);
    return id === undefined ? null : this.callerOf(id);
  }
}
