import { TimedShares, type Caller, type Clock } from '@sotto/kernel';
import { RecipientGasUnavailable } from '../../errors.js';

/**
 * Maximum number of withdrawals per hour that give STRK to their recipients. Together with the
 * maximum of one withdrawal, this bounds the STRK that the service gives in an hour.
 */
export const RECIPIENT_GAS_PER_HOUR = 50;
const HOUR_MS = 3_600_000;

/**
 * Limits how many withdrawals give STRK to their recipients within an hour. One network gets at
 * most half of them, and an equal share while other networks compete with it. A withdrawal counts
 * for an hour even if it reverts.
 */
export class RecipientGasBudget {
  readonly #shares: TimedShares;

  constructor(clock: Pick<Clock, 'monotonicMs'>, inAll = RECIPIENT_GAS_PER_HOUR) {
    this.#shares = new TimedShares({ inAll, perClient: inAll }, HOUR_MS, clock);
  }

  /**
   * Counts one withdrawal.
   * @returns function that undoes the count, if no attempt was written
   * @throws RecipientGasUnavailable
   */
  take(caller: Caller): () => void {
    const giveBack = this.#shares.take(caller);
    if (giveBack === null)
      throw new RecipientGasUnavailable({ retryAfterSeconds: this.#shares.retryAfterSeconds });
    return giveBack;
  }
}
