import { TimedShares, type Caller, type Clock, type ShareLimits } from '@sotto/kernel';
import { TooManyQuotes } from '../../errors.js';

/**
 * Limits the number of unused quotes in the store, in total and per caller. The number is limited
 * because each quote is a stored row and costs its caller nothing.
 */
export class OutstandingQuotes {
  readonly #shares: TimedShares;

  /** @param keptMs time for which an unused quote is stored, in milliseconds */
  constructor(limits: ShareLimits, keptMs: number, clock: Pick<Clock, 'monotonicMs'>) {
    this.#shares = new TimedShares(limits, keptMs, clock);
  }

  /**
   * Reserves one of the limited positions for a quote.
   * @returns function that frees the position if no quote was issued
   * @throws TooManyQuotes
   */
  take(caller: Caller): () => void {
    const giveBack = this.#shares.take(caller);
    if (giveBack === null)
      throw new TooManyQuotes({ retryAfterSeconds: this.#shares.retryAfterSeconds });
    return giveBack;
  }
}
