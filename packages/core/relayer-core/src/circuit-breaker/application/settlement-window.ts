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

/** The rows as they were a moment ago. */
export interface MoneySnapshot {
  /** When it was asked for, by the monotonic clock. */
  readonly takenAtMs: number;
  /** The same by the wall clock, to compare with times in rows. */
  readonly readAtMs: number;
  /** Of the budget's window. */
  readonly ended: SettledAttempt;
  readonly live: readonly LiveEntry[];
  readonly controls: readonly PoolControl[];
}

interface CachedSnapshot extends MoneySnapshot {
  /** When the whole window was read last, by the monotonic clock. */
  readonly allTakenAtMs: number;
}

/** How old a snapshot may be when a pool is judged. */
const TTL_MS = 250;
/**
 * An end becomes visible by its commit, which comes after the moment that it names; clocks of
 * instances differ as well.
 */
const OVERLAP_MS = 15_000;
/** A no-op may be charged to an attempt long after its end, so all is read again now and then. */
const REREAD_ALL_MS = 60_000;
/** More than a service of this kind ends in an hour. */
const MAX_ENTRIES = 50_000;

/**
 * What {@link SettlementHistory} and {@link PoolControls} say, read at most a few times a second
 * however many ask. Remembers nothing of its own.
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
   * A recent snapshot. Rejects with the error of the store: an older one never takes its place,
   * because money rests on it.
   */
  now(): Promise<MoneySnapshot> {
    return this.#snapshots.get('', (previous) => this.#read(previous));
  }

  /** Returns every revert under one key. Read each time. */
  async revertsOf(key: string): Promise<readonly NoteRevert[]> {
    return this.book.revertsOf(key);
  }

  /** What is read from now on is newer than this moment. */
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
 * A rollback takes back outcomes that were read before: one that has another outcome by now is
 * counted once, and a success whose key is on its way again does not count. A failure whose key is
 * on its way may have a further attempt, so it counts until all is read again.
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
