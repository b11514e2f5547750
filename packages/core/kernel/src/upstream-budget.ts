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
 * most half of the shares. While several networks compete, each requesting network gets an equal
 * share of the total, and one such share is left for a new network.
 */
export class TimedShares {
  readonly #shares: Shares;
  /** Acquired shares; the share that expires next is the first. */
  #held: Held[] = [];
  /**
   * Time of the last request of each network, in monotonic ms. Only the widest network of each
   * caller is counted. The network with the oldest request is the first.
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
    const held: Held = { untilMs: nowMs + this.keptMs, giveBack: this.#shares.take(caller) };
    this.#held.push(held);
    return () => {
      held.giveBack();
      this.#held = this.#held.filter((other) => other !== held);
    };
  }

  /** Number of seconds until the next share expires, at least 1. */
  get retryAfterSeconds(): number {
    const nowMs = this.clock.monotonicMs();
    const waitMs = (this.#held[0]?.untilMs ?? nowMs) - nowMs;
    return Math.max(1, Math.ceil(waitMs / 1_000));
  }

  /**
   * Returns true if the network holds its equal share of the total while other networks compete
   * with it. This limit also applies after a burst, when the shares of the burst expire together.
   * Otherwise the network that sends the first request would get all of them again.
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
      // If there are as many networks as shares, each network gets only one share. So the entries
      // of the oldest requests can be dropped.
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
 * Time after its last request for which a network counts as competing, as a multiple of the
 * lifetime of a share.
 */
const COMPETING = 2;

/**
 * Time for which a request is charged to the budget, in ms. Within this time, a share becomes free
 * for a waiting caller.
 */
const WINDOW_MS = 10_000;

/**
 * Number of requests to one upstream that callers may cause. If only one network sends requests, it
 * may cause half of them. While other networks wait, no network causes more than a quarter. If `n`
 * networks compete, each network causes at most `1 / (n + 1)` of the requests, so a new network is
 * served if `n` is below the budget.
 */
export class UpstreamBudget {
  readonly #shares: TimedShares;

  /**
   * @param inAll maximum number of requests within 10 seconds
   * @param within larger budget to which these requests are also charged; the rest of the larger
   *   budget remains for other requests
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
