import { TimedShares, type Caller, type Clock, type ShareLimits } from '@sotto/kernel';
import { TooManyQuotes } from '../../errors.js';

/**
 * Bounds the number of unused quotes in the store, in total and per caller: each is a row that
 * costs its caller nothing.
 */
export class OutstandingQuotes {
  readonly #shares: TimedShares;

  /** @param keptMs milliseconds for which an unused quote is stored */
  constructor(limits: ShareLimits, keptMs: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#shares = new TimedShares(limits, keptMs, clock);
  }

  /**
   * Reserves a place for a quote.
   * @returns function that releases the place if no quote was issued
   * @throws TooManyQuotes
   */
  take(caller: Caller): () => void {
    const giveBack = this.#shares.take(caller);
    if (giveBack === null)
      throw new TooManyQuotes({ retryAfterSeconds: this.#shares.retryAfterSeconds });
    return giveBack;
  }
}
