import { type Clock, type Caller, Shares, type ShareLimits } from '@sotto/kernel';
import { TooManyQuotes } from '../../errors.js';

interface Given {
  readonly untilMs: number;
  readonly giveBack: () => void;
}

/**
 * Bounds the quotes that stand in the book without having served, in all and by caller: each is a
 * row that costs its caller nothing.
 */
export class OutstandingQuotes {
  readonly #shares: Shares;
  /** In the order in which they end. */
  #given: Given[] = [];

  /** @param keptMs how long a quote that does not serve stands in the book */
  constructor(
    limits: ShareLimits,
    private readonly keptMs: number,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.#shares = new Shares(limits);
  }

  /**
   * Makes room for one more.
   * @returns what takes that back when no quote came of it
   * @throws TooManyQuotes
   */
  take(caller: Caller): () => void {
    const nowMs = this.clock.monotonicMs();
    this.#drop(nowMs);
    if (this.#shares.refusal(caller) !== null) {
      const waitMs = (this.#given[0]?.untilMs ?? nowMs) - nowMs;
      throw new TooManyQuotes({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    }
    const giveBack = this.#shares.take(caller);
    this.#given.push({ untilMs: nowMs + this.keptMs, giveBack });
    return giveBack;
  }

  #drop(nowMs: number): void {
    const firstLeft = this.#given.findIndex(({ untilMs }) => untilMs > nowMs);
    const over = this.#given.splice(0, firstLeft === -1 ? this.#given.length : firstLeft);
    for (const { giveBack } of over) giveBack();
  }
}
