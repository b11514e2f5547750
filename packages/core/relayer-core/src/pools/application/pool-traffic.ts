import { readProofCalldata } from '@sotto/groth16/layout';
import { Cached, tryCatch, type Clock, type Felt } from '@sotto/kernel';
import type { Ledger } from '@sotto/submission-core';
import {
  RATION_WINDOW_MS,
  depositsOnTheWay,
  rationLeft,
  type Traffic,
} from '../domain/deposit-traffic.js';
import { PRIVATE_SWAP_ENTRYPOINT, readPrivateSwapCalldata } from '../domain/private-swap-call.js';
import { readStatement, spendsNote, type WithdrawalStatement } from '../domain/withdrawal.js';
import type { LiveCall, TrafficBook } from '../ports/traffic-book.port.js';
import { RootWindow } from './root-window.js';

/** A deposit that may be sent is so within this time, or is asked about again. */
const CLEARED_MS = 10_000;
/** How soon a withdrawal that stands in the way may be through. */
export const QUEUED_RETRY_SECONDS = 10;
/** A deposit that was turned away, or held back, waits for so long: the time of three attempts. */
const WAITING_MS = 3 * QUEUED_RETRY_SECONDS * 1_000;
/** So many of the oldest roots are withheld for deposits that wait, at most. */
const MAX_WITHHELD = 8;
/**
 * A root that stood before the process began is of unknown age, and may be the next to go or the
 * 28th. All of them are withheld once deposits have waited for a minute, for half a minute in each
 * ten: else one deposit of a stranger, which is never sent, would keep all of them out.
 */
const UNSEEN = { everyMs: 600_000, fromMs: 60_000, toMs: 90_000 };
/** Statements of attempts kept at a time. */
const MAX_STATEMENTS = 1_000;

/** Deposits of a pool that wait. Times are of the monotonic clock. */
interface WaitingDeposits {
  readonly leaves: number;
  /** They wait, with pauses of less than ten minutes. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Where in the pool's tree a withdrawal's proof stands. */
type ProvenPlace = Pick<WithdrawalStatement, 'root' | 'batchStart' | 'batchSize'>;

/**
 * What is under way in the pools, and how deposits and withdrawals keep out of one another's way.
 */
export class PoolTraffic {
  readonly window = new RootWindow();
  /**
   * Deposits that are about to be sent, and until when that is believed, by the monotonic clock.
   */
  readonly #cleared = new Map<string, number>();
  /** By pool. */
  readonly #waiting = new Map<Felt, WaitingDeposits>();
  /** The version of a place is the attempt's fingerprint: one that waits may take a newer proof. */
  readonly #places = new Cached<ProvenPlace | null>({
    freshMs: (place) => (place === null ? 0 : Infinity),
    maxEntries: MAX_STATEMENTS,
  });

  constructor(
    private readonly book: TrafficBook,
    private readonly ledger: Pick<Ledger, 'calldata'>,
    private readonly clock: Clock,
  ) {}

  /** Rejects with the error of the store. */
  async now(): Promise<Traffic> {
    const [live, ended] = await Promise.all([
      this.book.live(),
      this.book.depositsSince(this.clock.nowMs() - RATION_WINDOW_MS),
    ]);
    return { live, ended };
  }

  /**
   * Deposits that may still begin in a pool within this hour. Rejects with the error of the store.
   */
  async rationLeft(perPool: number): Promise<(pool: Felt) => number> {
    const traffic = await this.now();
    const nowMs = this.clock.nowMs();
    return (pool) => rationLeft(traffic, pool, { perPool }, nowMs);
  }

  async live(): Promise<readonly LiveCall[]> {
    return this.book.live();
  }

  /**
   * From now on the deposit counts as sent; what it reads after this of withdrawals, these could
   * have read of it.
   */
  clear(id: string): void {
    const nowMs = this.clock.monotonicMs();
    for (const [known, untilMs] of this.#cleared) if (untilMs <= nowMs) this.#cleared.delete(known);
    this.#cleared.set(id, nowMs + CLEARED_MS);
  }

  /** It is not sent after all. */
  hold(id: string): void {
    this.#cleared.delete(id);
  }

  /** Deposits of the pool that may land before anything else, but for this one. */
  ahead(live: readonly LiveCall[], pool: Felt, except: string | null): readonly LiveCall[] {
    const nowMs = this.clock.monotonicMs();
    return depositsOnTheWay({ live }, pool).filter(
      ({ id, isSent }) => id !== except && (isSent || (this.#cleared.get(id) ?? -Infinity) > nowMs),
    );
  }

  /**
   * Whether the roots of all withdrawals that are on their way in the pool outlive so many more
   * leaves.
   * @param nextIndex leaves that the pool has now
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

  /** A deposit of the pool found no room for so many leaves. */
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
   * Whether a deposit waits that would push the root out. No new withdrawal may name it meanwhile:
   * else deposits would wait for as long as anybody asks for withdrawals with the oldest root.
   * @param nextIndex leaves that the pool has now
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

  /** What an attempt's proof names; null once its calldata is wiped, which is after its end. */
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
    const statement = tryCatch(() => readStatement(readProofCalldata(proof).proof.publicInputs));
    if (!statement.known) return null;
    const { root, batchStart, batchSize } = statement.value;
    return { root, batchStart, batchSize };
  }
}
