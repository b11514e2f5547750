import { Cached, type Clock } from '@sotto/kernel';
import { SettledAttempt } from '../domain/settled-attempt.js';
import {
  BUDGET_WINDOW_MS,
  type LiveEntry,
  type MoneyEntry,
  type NoteRevert,
} from '../domain/money.js';
import type { PoolControl } from '../domain/pool-circuit-breaker.js';
import type { SettlementHistory } from '../ports/settlement-history.port.js';
import type { PoolControls } from '../ports/pool-controls.port.js';

/** Rows as read a moment ago. */
export interface MoneySnapshot {
  /** Start of the read, by the monotonic clock. */
  readonly takenAtMs: number;
  /** Start of the read, by the wall clock. Compared with times in rows. */
  readonly readAtMs: number;
  /** Attempts that ended within the budget window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly controls: readonly PoolControl[];
}

interface CachedSnapshot extends MoneySnapshot {
  /** Time of the last full read, by the monotonic clock. */
  readonly allTakenAtMs: number;
}

/** Maximum age of a snapshot that judges a pool. */
const TTL_MS = 250;
/**
 * An outcome becomes visible at its commit, after the time that its row names. The clocks of
 * instances differ as well.
 */
const OVERLAP_MS = 15_000;
/** A no-op may be charged to an attempt long after it ended, so everything is reread regularly. */
const REREAD_ALL_MS = 60_000;
/** More attempts than one service ends in an hour. */
const MAX_ENTRIES = 50_000;

/**
 * Snapshot of {@link SettlementHistory} and {@link PoolControls}. Reads the store at most a few
 * times per second, regardless of the number of callers. Has no other state.
 */
export class SettlementWindow {
  readonly #snapshots: Cached<CachedSnapshot>;

  constructor(
    private readonly book: SettlementHistory,
    private readonly controls: PoolControls,
    private readonly clock: Clock,
    /** @default {@link MAX_ENTRIES} */
    private readonly maxEntries = MAX_ENTRIES,
  ) {
    this.#snapshots = new Cached({ clock, freshMs: TTL_MS });
  }

  /**
   * Returns a recent snapshot. Rejects with the error of the store. An older snapshot never
   * replaces it, because money depends on it.
   */
  now(): Promise<MoneySnapshot> {
    return this.#snapshots.get('', (previous) => this.#read(previous));
  }

  /** Returns every revert under one key, without a cache. */
  async revertsOf(key: string): Promise<readonly NoteRevert[]> {
    return this.book.revertsOf(key);
  }

  /** Drops the cached snapshot, so the next call reads the store. */
  forget(): void {
    this.#snapshots.clear();
  }

  async #read(previous: CachedSnapshot | undefined): Promise<CachedSnapshot> {
    const takenAtMs = this.clock.monotonicMs();
    const readAtMs = this.clock.nowMs();
    const known =
      previous !== undefined && takenAtMs - previous.allTakenAtMs < REREAD_ALL_MS ? previous : null;
    const windowMs = readAtMs - BUDGET_WINDOW_MS;
    const sinceMs = known === null ? windowMs : known.readAtMs - OVERLAP_MS;
    const [ended, live, controls] = await Promise.all([
      this.book.ended(sinceMs, this.maxEntries),
      this.book.live(),
      this.controls.all(),
    ]);
    const kept = (known?.ended.entries ?? []).filter(
      ({ endedAtMs }) => endedAtMs >= windowMs && endedAtMs < sinceMs,
    );
    const entries = [...stillTrue(kept, ended, live), ...ended].slice(-this.maxEntries);
    const allTakenAtMs = known?.allTakenAtMs ?? takenAtMs;
    const times = { takenAtMs, readAtMs, allTakenAtMs };
    return { ...times, ended: new SettledAttempt(entries), live, controls };
  }
}

/**
 * Drops outcomes that a rollback has revoked since they were read. An attempt with a new outcome
 * counts once. A success does not count if its key is in flight again. A failure does: its key may
 * have another attempt in flight, so the failure counts until the next full read.
 */
function stillTrue(
  kept: readonly MoneyEntry[],
  ended: readonly MoneyEntry[],
  live: readonly LiveEntry[],
): readonly MoneyEntry[] {
  const again = new Set(ended.map(({ id }) => id));
  const onTheWay = new Set(live.map(({ key }) => key));
  return kept.filter(
    ({ id, key, state }) => !again.has(id) && !(state === 'succeeded' && onTheWay.has(key)),
  );
}
