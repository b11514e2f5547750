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

/** Snapshot of the rows, read a short time ago. */
export interface MoneySnapshot {
  /** Start of the read, by the monotonic clock, in milliseconds. */
  readonly takenAtMs: number;
  /**
   * Start of the read in Unix milliseconds, by the wall clock. This time is compared with times in
   * rows.
   */
  readonly readAtMs: number;
  /** Attempts that ended within the budget window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly controls: readonly PoolControl[];
}

interface CachedSnapshot extends MoneySnapshot {
  /** Time of the last full read, by the monotonic clock, in milliseconds. */
  readonly allTakenAtMs: number;
}

/** Maximum age of a snapshot by which a pool is judged, in milliseconds. */
const TTL_MS = 250;
/**
 * Overlap of two consecutive reads, in milliseconds. An outcome becomes visible only when it is
 * committed, which is later than the time in its row. In addition, the clocks of instances differ.
 */
const OVERLAP_MS = 15_000;
/**
 * Time after which all rows are read again, in milliseconds. A full read is necessary because a
 * no-op may be charged to an attempt long after the attempt ended.
 */
const REREAD_ALL_MS = 60_000;
/**
 * Maximum number of entries in a snapshot. Fewer attempts than this end in one service within an
 * hour.
 */
const MAX_ENTRIES = 50_000;

/**
 * Cached snapshot of {@link SettlementHistory} and {@link PoolControls}. The store is read at most
 * a few times per second, regardless of the number of callers. The window has no other state.
 */
export class SettlementWindow {
  readonly #snapshots: Cached<CachedSnapshot>;

  constructor(
    private readonly store: SettlementHistory,
    private readonly controls: PoolControls,
    private readonly clock: Clock,
    /** @default {@link MAX_ENTRIES} */
    private readonly maxEntries = MAX_ENTRIES,
  ) {
    this.#snapshots = new Cached({ clock, freshMs: TTL_MS });
  }

  /**
   * Returns a recent snapshot. Rejects with the error of the store. An older snapshot is not used
   * instead, because decisions about money depend on the snapshot.
   */
  now(): Promise<MoneySnapshot> {
    return this.#snapshots.get('', (previous) => this.#read(previous));
  }

  /** Reads every revert under one key from the store, without a cache. */
  async revertsOf(key: string): Promise<readonly NoteRevert[]> {
    return this.store.revertsOf(key);
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
      this.store.ended(sinceMs, this.maxEntries),
      this.store.live(),
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
 * Drops known outcomes that a reorg has revoked since they were read. An attempt with a new outcome
 * is counted once. A success is dropped if its key is in flight again. A failure is not dropped,
 * because its key may have another attempt in flight; a wrong failure is dropped at the next full
 * read.
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
