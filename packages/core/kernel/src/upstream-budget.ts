import type { Caller } from './caller.js';
import type { Clock } from './clock.js';
import { Overloaded } from './errors.js';
import { Shares, quarterOf, widestOf, type ShareLimits } from './shares.js';

interface Held {
  readonly untilMs: number;
  readonly giveBack: () => void;
}

/**
 * Shares that expire after a fixed time, unless they are released earlier. One network holds at
 * most half of the shares. While networks compete, each requesting network gets an equal part, and
 * one part is left for the next network.
 */
export class TimedShares {
  readonly #shares: Shares;
  /** Acquired shares, in the order in which they expire. */
  #held: Held[] = [];
  /**
   * Time of the last request of each widest network, in monotonic ms; the oldest request is the
   * first.
   */
  readonly #requested = new Map<string, number>();
  /** Time of the last rejection while more than half of all shares were held, in monotonic ms. */
  #competedAtMs = -Infinity;

  constructor(
    private readonly limits: ShareLimits,
    private readonly keptMs: number,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.#shares = new Shares(limits);
  }

  /**
   * Acquires one share. Returns the function that releases the share early; null if the caller may
   * not acquire another share.
   */
  take(caller: Caller): (() => void) | null {
    const nowMs = this.clock.monotonicMs();
    this.#drop(nowMs);
    const network = widestOf(caller);
    this.#query(network, nowMs);
    if (this.#hasPart(network, nowMs) || this.#shares.rejection(caller) !== null) {
      if (this.#shares.isBusy) this.#competedAtMs = nowMs;
      return null;
    }
    const giveBack = this.#shares.take(caller);
    this.#held.push({ untilMs: nowMs + this.keptMs, giveBack });
    return giveBack;
  }

  /** Number of seconds until the next share expires, at least 1. */
  get retryAfterSeconds(): number {
    const nowMs = this.clock.monotonicMs();
    const waitMs = (this.#held[0]?.untilMs ?? nowMs) - nowMs;
    return Math.max(1, Math.ceil(waitMs / 1_000));
  }

  /**
   * Returns true if the network holds its equal part while other networks compete with it. The
   * parts also apply after a burst: its shares expire together, and otherwise the network with the
   * first request would get all of them again.
   */
  #hasPart(network: string, nowMs: number): boolean {
    const isContended = this.#isRecent(this.#competedAtMs, nowMs);
    if (!isContended && !this.#shares.isBusy) return false;
    const competing = isContended ? this.#requested.size : this.#shares.networks;
    if (competing < 2) return false;
    const { inAll } = this.limits;
    const part = Math.min(quarterOf(inAll), Math.floor(inAll / (competing + 1)));
    return this.#shares.heldBy(network) >= Math.max(1, part);
  }

  #query(network: string, nowMs: number): void {
    this.#requested.delete(network);
    this.#requested.set(network, nowMs);
    for (const [oldest, atMs] of this.#requested) {
      // Once there are as many networks as shares, the part of a network is one share, so older
      // entries can be dropped.
      if (this.#requested.size <= this.limits.inAll && this.#isRecent(atMs, nowMs)) break;
      this.#requested.delete(oldest);
    }
  }

  #isRecent(atMs: number, nowMs: number): boolean {
    return nowMs - atMs < COMPETING * this.keptMs;
  }

  #drop(nowMs: number): void {
    const firstLeft = this.#held.findIndex(({ untilMs }) => untilMs > nowMs);
    const over = this.#held.splice(0, firstLeft === -1 ? this.#held.length : firstLeft);
    for (const { giveBack } of over) giveBack();
  }
}

/**
 * Time for which a network competes after its last request, as a multiple of the time of a share.
 */
const COMPETING = 2;

/**
 * Time for which a request is charged to the budget, in ms. A waiting caller gets a share within
 * this time.
 */
const WINDOW_MS = 10_000;

/**
 * Number of requests to one upstream that callers may cause. One network alone may cause half of
 * them. While other networks wait, no network causes more than a quarter. If `n` networks compete,
 * each network causes at most `1 / (n + 1)` of the requests, so a new network is served as long as
 * `n` is below the budget.
 */
export class UpstreamBudget {
  readonly #shares: TimedShares;

  /**
   * @param inAll maximum number of requests within 10 seconds
   * @param within larger budget to which these requests are charged too; its rest remains for
   *   others
   */
  constructor(
    inAll: number,
    clock: Pick<Clock, 'monotonicMs'>,
    private readonly within: Pick<UpstreamBudget, 'spend'> = UNLIMITED_BUDGET,
  ) {
    this.#shares = new TimedShares({ inAll, perClient: inAll }, WINDOW_MS, clock);
  }

  /**
   * Charges one request to the caller.
   * @throws Overloaded if the caller has no request left; the caller must not send the request then
   */
  spend(caller: Caller): void {
    const giveBack = this.#shares.take(caller);
    if (giveBack === null) {
      const { retryAfterSeconds } = this.#shares;
      throw new Overloaded({
        message: 'callers have used up the requests to an upstream',
        retryAfterSeconds,
      });
    }
    try {
      this.within.spend(caller);
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}

/** Budget that rejects no caller, for programs that cause all requests themselves. */
export const UNLIMITED_BUDGET: Pick<UpstreamBudget, 'spend'> = { spend: () => undefined };
