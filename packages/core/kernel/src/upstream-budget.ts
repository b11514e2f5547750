import type { Caller } from './caller.js';
import type { Clock } from './clock.js';
import { Overloaded } from './errors.js';
import { Shares, type ShareLimits } from './shares.js';

interface Held {
  readonly untilMs: number;
  readonly giveBack: () => void;
}

/** Shares that each end after the same time, unless they are given back earlier. */
export class TimedShares {
  readonly #shares: Shares;
  /** In the order in which they end. */
  #held: Held[] = [];

  constructor(
    limits: ShareLimits,
    private readonly keptMs: number,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.#shares = new Shares(limits);
  }

  /** Takes one share. Returns what gives it back earlier; null if the caller may have no more. */
  take(caller: Caller): (() => void) | null {
    const nowMs = this.clock.monotonicMs();
    this.#drop(nowMs);
    if (this.#shares.refusal(caller) !== null) return null;
    const giveBack = this.#shares.take(caller);
    this.#held.push({ untilMs: nowMs + this.keptMs, giveBack });
    return giveBack;
  }

  /** Seconds until the next share ends. */
  get retryAfterSeconds(): number {
    const nowMs = this.clock.monotonicMs();
    const waitMs = (this.#held[0]?.untilMs ?? nowMs) - nowMs;
    return Math.max(1, Math.ceil(waitMs / 1_000));
  }

  #drop(nowMs: number): void {
    const firstLeft = this.#held.findIndex(({ untilMs }) => untilMs > nowMs);
    const over = this.#held.splice(0, firstLeft === -1 ? this.#held.length : firstLeft);
    for (const { giveBack } of over) giveBack();
  }
}

/** Time for which a request counts. A caller that waits gets a share within it. */
const WINDOW_MS = 10_000;

/**
 * Requests to one upstream that callers may cause, in all. A caller alone may cause all of them;
 * while others wait, no network causes more than a quarter.
 */
export class UpstreamBudget {
  readonly #shares: TimedShares;

  /** @param inAll requests within 10 seconds */
  constructor(inAll: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#shares = new TimedShares({ inAll, perClient: inAll }, WINDOW_MS, clock);
  }

  /**
   * Counts one request of the caller.
   * @throws Overloaded if none is left for the caller: then nothing may be requested
   */
  spend(caller: Caller): void {
    if (this.#shares.take(caller) !== null) return;
    const { retryAfterSeconds } = this.#shares;
    throw new Overloaded({
      message: 'callers have used up the requests to an upstream',
      retryAfterSeconds,
    });
  }
}

/** Refuses no caller. For programs whose requests are all their own. */
export const UNLIMITED_BUDGET: Pick<UpstreamBudget, 'spend'> = { spend: () => undefined };
