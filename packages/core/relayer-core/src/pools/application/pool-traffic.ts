import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { Ledger } from '@sotto/submission-core';
import { RATION_WINDOW_MS, depositsOnTheWay, type Traffic } from '../domain/deposit-traffic.js';
import { PRIVATE_SWAP_ENTRYPOINT, readPrivateSwapCalldata } from '../domain/private-swap-call.js';
import { readWithdrawalCall } from '../domain/recipient-gas.js';
import { spendsNote, type WithdrawalStatement } from '../domain/withdrawal.js';
import type { LiveCall, TrafficStore } from '../ports/traffic-store.port.js';
import { RootWindow } from './root-window.js';

/**
 * Milliseconds after which a deposit that was cleared for sending but not sent is checked again.
 */
const CLEARED_MS = 10_000;
/**
 * Seconds after which a deposit that a withdrawal blocks should be retried: the withdrawal may have
 * ended by then.
 */
export const QUEUED_RETRY_SECONDS = 10;
/**
 * Milliseconds for which a rejected or delayed deposit counts as waiting. In this time, its caller
 * can try three times.
 */
const WAITING_MS = 3 * QUEUED_RETRY_SECONDS * 1_000;
/**
 * Maximum number of roots that are reserved for waiting deposits, the oldest first. New withdrawals
 * may not use a reserved root.
 */
const MAX_WITHHELD = 8;
/**
 * Times at which roots of unknown age are reserved for deposits. Such a root existed before this
 * process began, so the pool may drop it next, or only after 28 other roots. All roots of unknown
 * age are reserved if deposits have waited for a minute. The reservation lasts half a minute, and
 * is repeated every ten minutes. A permanent reservation would be dangerous: a deposit that an
 * attacker requests but never sends could block these roots for ever.
 */
const UNSEEN = { everyMs: 600_000, fromMs: 60_000, toMs: 90_000 };
/** Maximum number of attempts whose root and batch are cached. */
const MAX_STATEMENTS = 1_000;

/** Waiting deposits of a pool. Times are milliseconds of the monotonic clock. */
interface WaitingDeposits {
  readonly leaves: number;
  /**
   * Time at which the waiting began. If there are no waiting deposits for less than ten minutes,
   * the waiting counts as uninterrupted.
   */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Root and batch that a withdrawal's proof names. */
type ProvenPlace = Pick<WithdrawalStatement, 'root' | 'batchStart' | 'batchSize'>;

/**
 * Reads the attempts in flight in the pools. Prevents deposits from dropping roots that withdrawals
 * need, and withdrawals from blocking deposits.
 */
export class PoolTraffic {
  readonly window = new RootWindow();
  /**
   * Cleared deposits, which are about to be sent. The value is the time until which the deposit is
   * treated as sent, in milliseconds of the monotonic clock.
   */
  readonly #cleared = new Map<string, number>();
  /** Waiting deposits by pool. */
  readonly #waiting = new Map<Felt, WaitingDeposits>();
  /**
   * Cached root and batch of each attempt. The version of an entry is the attempt's fingerprint,
   * because a newer proof may replace the proof of an attempt that is not signed yet.
   */
  readonly #places = new Cached<ProvenPlace | null>({
    freshMs: (place) => (place === null ? 0 : Infinity),
    maxEntries: MAX_STATEMENTS,
  });

  /** Attempts in flight, as last read. */
  #lastLive: readonly LiveCall[] = [];

  constructor(
    private readonly store: TrafficStore,
    private readonly ledger: Pick<Ledger, 'calldata'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns all attempts in flight and the deposits of the last hour. Rejects with the error of the
   * store.
   */
  async now(): Promise<Traffic> {
    const [live, ended] = await Promise.all([
      this.live(),
      this.store.depositsSince(this.clock.nowMs() - RATION_WINDOW_MS),
    ]);
    return { live, ended };
  }

  async live(): Promise<readonly LiveCall[]> {
    const live = await this.store.live();
    this.#lastLive = live;
    return live;
  }

  /**
   * Returns attempts in flight as of a time after the attempt `id` was stored, which may be seconds
   * ago. A deposit that is missing in the result was stored later than this attempt, so the
   * deposit's own check, which reads {@link live}, finds this attempt.
   */
  async liveSince(id: string): Promise<readonly LiveCall[]> {
    const live = this.#lastLive;
    return live.some((call) => call.id === id) ? live : this.live();
  }

  /**
   * Marks the deposit as about to be sent. If the check of this deposit misses a concurrent
   * withdrawal, the withdrawal's own check finds this deposit.
   */
  clear(id: string): void {
    const nowMs = this.clock.monotonicMs();
    for (const [known, untilMs] of this.#cleared) if (untilMs <= nowMs) this.#cleared.delete(known);
    this.#cleared.set(id, nowMs + CLEARED_MS);
  }

  /** Removes the mark because the deposit will not be sent now. */
  hold(id: string): void {
    this.#cleared.delete(id);
  }

  /**
   * Returns the deposits into the pool that are sent or cleared and so may be included before a new
   * transaction. The deposit with the id `except` is omitted.
   */
  ahead(live: readonly LiveCall[], pool: Felt, except: string | null): readonly LiveCall[] {
    const nowMs = this.clock.monotonicMs();
    return depositsOnTheWay({ live }, pool).filter(
      ({ id, isSent }) => id !== except && (isSent || (this.#cleared.get(id) ?? -Infinity) > nowMs),
    );
  }

  /**
   * Returns true if `leaves` more leaves do not make the pool drop the root of any withdrawal in
   * flight.
   * @param nextIndex current number of leaves of the pool
   */
  async roomFor(
    leaves: number,
    live: readonly LiveCall[],
    pool: Felt,
    nextIndex: number,
  ): Promise<boolean> {
    const withdrawals = live.filter((call) => spendsNote(call) && call.subject === pool);
    const places = await Promise.all(withdrawals.map((call) => this.placeOf(call)));
    return places.every(
      (place) => place === null || this.window.outlives(pool, place.root, nextIndex) >= leaves,
    );
  }

  /**
   * Records that a deposit of the pool must wait, because this many leaves would make the pool drop
   * a root that is in use.
   */
  wait(pool: Felt, leaves: number): void {
    const nowMs = this.clock.monotonicMs();
    const before = this.#waiting.get(pool);
    const goesOn = before !== undefined && nowMs < before.untilMs + UNSEEN.everyMs;
    this.#waiting.set(pool, {
      leaves: Math.min(leaves, MAX_WITHHELD),
      sinceMs: goesOn ? before.sinceMs : nowMs,
      untilMs: nowMs + WAITING_MS,
    });
  }

  /**
   * Returns true if a waiting deposit would make the pool drop the root. While this is so, new
   * withdrawals must not use the root. Otherwise deposits would wait as long as callers request
   * withdrawals with the oldest root.
   * @param nextIndex current number of leaves of the pool
   */
  isWithheld(pool: Felt, root: bigint, nextIndex: number): boolean {
    const waiting = this.#waiting.get(pool);
    const nowMs = this.clock.monotonicMs();
    if (waiting === undefined || waiting.untilMs <= nowMs) return false;
    if (!this.window.hasSeen(pool, root)) {
      const waitedMs = (nowMs - waiting.sinceMs) % UNSEEN.everyMs;
      return waitedMs >= UNSEEN.fromMs && waitedMs < UNSEEN.toMs;
    }
    return this.window.outlives(pool, root, nextIndex) < waiting.leaves;
  }

  /**
   * Returns the root and batch of an attempt's proof; null if its calldata is redacted, which
   * happens after the attempt's end.
   */
  placeOf({
    id,
    fingerprint,
    entrypoint,
  }: Pick<LiveCall, 'id' | 'fingerprint' | 'entrypoint'>): Promise<ProvenPlace | null> {
    return this.#places.get(id, () => this.#readPlace(id, entrypoint), fingerprint);
  }

  async #readPlace(id: string, entrypoint: string): Promise<ProvenPlace | null> {
    const calldata = await this.ledger.calldata(id);
    if (calldata === null) return null;
    const proof =
      entrypoint === PRIVATE_SWAP_ENTRYPOINT ? readPrivateSwapCalldata(calldata)?.proof : calldata;
    if (proof === undefined) return null;
    const withdrawal = readWithdrawalCall(proof);
    if (withdrawal === null) return null;
    const { root, batchStart, batchSize } = withdrawal.statement;
    return { root, batchStart, batchSize };
  }
}
