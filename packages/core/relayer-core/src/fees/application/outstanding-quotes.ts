import { TimedShares, type Caller, type Clock, type ShareLimits } from '@sotto/kernel';
import { TooManyQuotes } from '../../errors.js';

/**
 * Bounds the quotes that stand in the book without having served, in all and by caller: each is a
 * row that costs its caller nothing.
 */
export class OutstandingQuotes {
  readonly #shares: TimedShares;

  /** @param keptMs how long a quote that does not serve stands in the book */
  constructor(limits: ShareLimits, keptMs: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#shares = new TimedShares(limits, keptMs, clock);
  }

  /**
   * Makes room for one more.
   * @returns what takes that back when no quote came of it
   * @throws TooManyQuotes
   */
  take(caller: Caller): () => void {
    const giveBack = this.#shares.take(caller);
    if (giveBack === null)
      throw new TooManyQuotes({ retryAfterSeconds: this.#shares.retryAfterSeconds });
    return giveBack;
  }
}
