import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { sum, type CallerLoss, type LiveEntry } from '../domain/money.js';
import { lossesFreeAt, type LossLimits } from '../domain/user-losses.js';
import { CallerBudgetExhausted } from '../../errors.js';
import type { Attributions } from './attributions.js';
import { secondsUntil } from '../../relay/domain/seconds-until.js';

/** Time in which a request that is on its way usually ends. */
const IN_FLIGHT_RETRY_SECONDS = 10;
/**
 * Swaps of one pool that are on their way at a time once its loss budget is used up. Each may
 * revert before the loss of the first one is known.
 */
const STRICT_SWAPS = 4;

const isSwap = ({ kind }: LiveEntry): boolean => kind === 'private_swap';

/** Attempts of one pool that count against a loss budget. */
export interface PoolExposure {
  /** Losses of the window, oldest first. */
  readonly losses: readonly CallerLoss[];
  /** Attempts on their way, of all callers. */
  readonly live: readonly LiveEntry[];
  /** Caller of an attempt on its way; null if unknown. */
  readonly callerOf: (key: string) => Caller | null;
  readonly nowMs: number;
  /** The pool's loss budget is used up. */
  readonly isStrict: boolean;
}

/**
 * Keeps one caller, and one network, from using up the loss budget of a pool. An attempt without a
 * known caller counts against the pool's budget only. Callers and networks are held in memory for
 * two hours: after a restart the losses of before count against the pool alone.
 */
export class CallerShares {
  constructor(
    private readonly limits: LossLimits,
    private readonly attributions: Attributions,
  ) {}

  accepted(attempt: Pick<Attempt, 'id' | 'key'>, caller: Caller, monotonicMs: number): void {
    this.attributions.remember(attempt, caller, monotonicMs);
  }

  callerOfKey(key: string): Caller | null {
    return this.attributions.callerOfKey(key);
  }

  /**
   * Rejection of a request of this caller. An address has its configured percentage of the budget
   * and a network (/24 or /48) a quarter, whatever its addresses. Once either has lost something,
   * its attempts on their way count as lost too: each of many at once may revert. Swaps on their
   * way count for a network even before: a market that moves reverts all of them. Where the budget
   * closes the pool for all, so do withdrawals.
   */
  refusal(
    caller: Caller,
    wantsSwap: boolean,
    exposure: PoolExposure,
  ): CallerBudgetExhausted | null {
    const { nowMs, isStrict, live, callerOf } = exposure;
    const { hourlyLossPerPoolFri, callerLossPercent, lossBudgetCloses } = this.limits;
    const isExposed = lossBudgetCloses ? (): boolean => true : isSwap;
    const isOwn = (other: Caller | null): boolean => other?.name === caller.name;
    const isNeighbour = (other: Caller | null): boolean =>
      other !== null && widestOf(other) === widestOf(caller);
    const freeAtMs =
      this.#freeAt(
        isOwn,
        () => false,
        (hourlyLossPerPoolFri * BigInt(callerLossPercent)) / 100n,
        exposure,
      ) ??
      (caller === UNNAMED_CALLER
        ? null
        : this.#freeAt(isNeighbour, isExposed, quarterOf(hourlyLossPerPoolFri), exposure));
    if (freeAtMs !== null) {
      return new CallerBudgetExhausted({
        details: { cause: 'losses' },
        retryAfterSeconds: secondsUntil(freeAtMs, nowMs),
      });
    }
    if (!isStrict) return null;
    const hasOwn = live.some(({ key }) => isOwn(callerOf(key)));
    const isFull = wantsSwap && live.filter(isSwap).length >= STRICT_SWAPS;
    if (!hasOwn && !isFull) return null;
    return new CallerBudgetExhausted({
      details: { cause: 'in_flight' },
      retryAfterSeconds: IN_FLIGHT_RETRY_SECONDS,
    });
  }

  /**
   * Time at which less than the share is used up; null if that is so now.
   * @param counts whether an attempt of this caller counts
   * @param isAlwaysExposed whether an attempt on its way counts before anything was lost
   */
  #freeAt(
    counts: (caller: Caller | null) => boolean,
    isAlwaysExposed: (entry: LiveEntry) => boolean,
    shareFri: bigint,
    { losses, live, callerOf, nowMs }: PoolExposure,
  ): number | null {
    const lost = losses.filter(({ id }) => counts(this.attributions.callerOf(id)));
    const exposed = live.filter(
      (entry) => (lost.length > 0 || isAlwaysExposed(entry)) && counts(callerOf(entry.key)),
    );
    if (lost.length === 0 && exposed.length === 0) return null;
    return lossesFreeAt(lost, shareFri, nowMs, sum(exposed.map(({ costFri }) => costFri ?? 0n)));
  }
}
