import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, widestOf, type Caller } from '@sotto/kernel';

/** What is remembered of one attempt. */
interface Attribution {
  readonly key: string;
  readonly caller: Caller;
  readonly sinceMs: number;
}

/** An attempt is on its way for minutes, and its loss counts for an hour after. */
const KEPT_MS = 2 * 3_600_000;
/** As many as a service of this kind accepts meanwhile. */
const MAX_KEPT = 50_000;

/**
 * Who asked for which attempt. Names stay in this memory: they are not stored, logged or returned,
 * and are gone when the process ends. Attempts that another instance accepted have no caller here.
 */
export class Attributions {
  /** By id, oldest first. */
  readonly #byId = new Map<string, Attribution>();
  /** The newest attempt of each key. */
  readonly #idOf = new Map<string, string>();

  /** @param maxKept the oldest are forgotten beyond it. @default {@link MAX_KEPT} */
  constructor(private readonly maxKept = MAX_KEPT) {}

  /** @param nowMs by a monotonic clock */
  remember({ id, key }: Pick<Attempt, 'id' | 'key'>, caller: Caller, nowMs: number): void {
    for (const [oldest, { key: oldKey, sinceMs }] of this.#byId) {
      if (this.#byId.size < this.maxKept && nowMs - sinceMs < KEPT_MS) break;
      this.#byId.delete(oldest);
      if (this.#idOf.get(oldKey) === oldest) this.#idOf.delete(oldKey);
    }
    this.#byId.set(id, { key, caller, sinceMs: nowMs });
    this.#idOf.set(key, id);
  }

  /** Null for what has no known caller. */
  callerOf(id: string): Caller | null {
    return this.#byId.get(id)?.caller ?? null;
  }

  /** Widest network of an attempt's caller; null if no caller is known. */
  networkOf(id: string): string | null {
    const caller = this.callerOf(id);
    return caller === null || caller === UNNAMED_CALLER ? null : widestOf(caller);
  }

  /** Of the newest attempt under a key. */
  callerOfKey(key: string): Caller | null {
    const id = this.#idOf.get(key);
    return id === undefined ? null : this.callerOf(id);
  }
}
