import { readProofCalldata } from '@sotto/groth16/layout';
import type { Clock, Felt } from '@sotto/kernel';
import type { Ledger } from '@sotto/submission-core';
import { RATION_WINDOW_MS, depositsOnTheWay, type Traffic } from '../domain/deposit-traffic.js';
import {
  PRIVATE_SWAP_ENTRYPOINT,
  readPrivateSwapCalldata,
} from '../../swaps/domain/private-swap.js';
import {
  parseWithdrawalKey,
  readStatement,
  type WithdrawalStatement,
} from '../../withdrawals/domain/withdrawal.js';
import type { LiveCall, TrafficBook } from '../ports/traffic-book.port.js';
import { tryCatch } from '../../relay/application/result.js';
import { RootWindow } from './root-window.js';

/** A deposit that may be sent is so within this time, or is asked about again. */
const CLEARED_MS = 10_000;
/** Statements of attempts kept at a time. */
const MAX_STATEMENTS = 1_000;

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
  readonly #places = new Map<string, ProvenPlace>();

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
    const withdrawals = live.filter(({ key }) => parseWithdrawalKey(key)?.pool === pool);
    const places = await Promise.all(withdrawals.map((call) => this.placeOf(call)));
    return places.every(
      (place) => place === null || this.window.outlives(pool, place.root, nextIndex) >= leaves,
    );
  }

  /** What an attempt's proof names; null once its calldata is wiped, which is after its end. */
  async placeOf({
    id,
    fingerprint,
    entrypoint,
  }: Pick<LiveCall, 'id' | 'fingerprint' | 'entrypoint'>): Promise<ProvenPlace | null> {
    // One that waits may take a newer proof.
    const name = `${id}|${fingerprint}`;
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const calldata = await this.ledger.calldata(id);
    if (calldata === null) return null;
    const proof =
      entrypoint === PRIVATE_SWAP_ENTRYPOINT ? readPrivateSwapCalldata(calldata)?.proof : calldata;
    if (proof === undefined) return null;
    const statement = tryCatch(() => readStatement(readProofCalldata(proof).proof.publicInputs));
    if (!statement.known) return null;
    for (const oldest of this.#places.keys()) {
      if (this.#places.size < MAX_STATEMENTS) break;
      this.#places.delete(oldest);
    }
    const { root, batchStart, batchSize } = statement.value;
    const place = { root, batchStart, batchSize };
    this.#places.set(name, place);
    return place;
  }
}
