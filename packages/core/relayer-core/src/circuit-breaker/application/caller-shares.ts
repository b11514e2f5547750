import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { sum, type CallerLoss, type LiveEntry } from '../domain/money.js';
import { lossesFreeAt, type LossLimits } from '../domain/user-losses.js';
import { CallerBudgetExhausted } from '../../errors.js';
import type { Attributions } from './attributions.js';
import { secondsUntil } from '../../relay/domain/seconds-until.js';

/** Usual time in which a request in flight ends. */
const IN_FLIGHT_RETRY_SECONDS = 10;
/**
 * Maximum number of swaps of one pool in flight once its loss budget is used up. Each may revert
 * before the loss of the first one is known.
 */
const STRICT_SWAPS = 4;

const isSwap = ({ kind }: LiveEntry): boolean => kind === 'private_swap';

/** Attempts of one pool that count against a loss budget. */
export interface PoolExposure {
  /** Losses in the window, oldest first. */
  readonly losses: readonly CallerLoss[];
  /** Attempts in flight, of all callers. */
  readonly live: readonly LiveEntry[];
  /** Returns the caller of an attempt in flight; null if unknown. */
  readonly callerOf: (key: string) => Caller | null;
  readonly nowMs: number;
  /** True if the pool's loss budget is used up. */
  readonly isStrict: boolean;
}

/**
 * Keeps a single caller or network from using up the loss budget of a pool. An attempt without a
 * known caller counts against the pool's budget only. Callers are kept in memory for two hours:
 * after a restart, earlier losses count against the pool only.
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
   * Returns the error for a caller that has used up its share of the budget; null if it has not.
   *
   * An address has its configured percentage of the budget. A network (/24 or /48) has a quarter,
   * regardless of the number of its addresses. Once an address or network has lost something, its
   * attempts in flight count as lost too, because each of many concurrent ones may revert.
   *
   * Swaps in flight count for a network even before its first loss: a market move reverts all of
   * them. If the budget closes the pool for all callers, withdrawals in flight count in the same
   * way.
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
   * Returns the time at which less than the share is used up; null if that is the case now.
   * @param counts returns true for callers that share this budget
   * @param isAlwaysExposed returns true if an attempt in flight counts even before the first loss
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
