import type { Attempt } from '@sotto/submission-core';
import type { Caller } from '@sotto/kernel';
import { sum, type LiveEntry, type MoneyEntry } from '../../circuit-breaker/domain/money.js';
import { lossesFreeAt, type LossLimits } from '../../circuit-breaker/domain/user-losses.js';
import { CallerBudgetExhausted } from '../../errors.js';
import { Attributions } from './attributions.js';
import { secondsUntil } from './seconds-until.js';

/** What has just been asked for ends in about so many seconds. */
const IN_FLIGHT_RETRY_SECONDS = 10;

/**
 * Keeps one caller from using up what users may lose the service together. What has no known caller
 * is counted against none.
 */
export class CallerShares {
  readonly #attributions = new Attributions();

  constructor(private readonly limits: LossLimits) {}

  accepted(attempt: Pick<Attempt, 'id' | 'key'>, caller: Caller, monotonicMs: number): void {
    this.#attributions.remember(attempt, caller, monotonicMs);
  }

  callerOfKey(key: string): string | null {
    return this.#attributions.callerOfKey(key);
  }

  /**
   * Once a caller has lost something, what is on its way for it counts as lost too: of many at once
   * each may revert.
   * @param losses of the pool and window, oldest first
   * @param live the caller's own, in the pool
   */
  refusal(
    { name }: Caller,
    losses: readonly MoneyEntry[],
    live: readonly LiveEntry[],
    { nowMs, isStrict }: { readonly nowMs: number; readonly isStrict: boolean },
  ): CallerBudgetExhausted | null {
    const own = losses.filter(({ id }) => this.#attributions.callerOf(id) === name);
    const { hourlyLossPerPoolFri, callerLossPercent } = this.limits;
    const share = (hourlyLossPerPoolFri * BigInt(callerLossPercent)) / 100n;
    const expected = own.length === 0 ? 0n : sum(live.map(({ costFri }) => costFri ?? 0n));
    const freeAtMs = own.length === 0 ? null : lossesFreeAt(own, share, nowMs, expected);
    if (freeAtMs !== null) {
      return new CallerBudgetExhausted({
        details: { cause: 'losses' },
        retryAfterSeconds: secondsUntil(freeAtMs, nowMs),
      });
    }
    if (!isStrict || live.length === 0) return null;
    return new CallerBudgetExhausted({
      details: { cause: 'in_flight' },
      retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
    });
  }
}
