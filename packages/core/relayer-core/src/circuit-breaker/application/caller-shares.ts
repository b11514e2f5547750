import type { Attempt } from '@sotto/submission-core';
import { UNNAMED_CALLER, mostOf, quarterOf, widestOf, type Caller } from '@sotto/kernel';
import { sum, type CallerLoss, type LiveEntry } from '../domain/money.js';
import { isPrivateAction, lossesFreeAt, type LossLimits } from '../domain/user-losses.js';
import { CallerBudgetExhausted } from '../../errors.js';
import type { Attributions } from './attributions.js';
import { secondsUntil } from '../../relay/domain/seconds-until.js';

/** Usual time after which a request in flight ends, in seconds. */
const IN_FLIGHT_RETRY_SECONDS = 10;
/**
 * Maximum number of swaps of one pool in flight while the pool's loss budget is used up. The number
 * is limited because all of them may revert before the first loss is known.
 */
const STRICT_SWAPS = 4;

const isSwap = ({ kind }: LiveEntry): boolean => kind === 'private_swap';
/** True for an attempt whose caller or the market can make it revert with all others at once. */
const canRevertAtOnce = (entry: LiveEntry): boolean => isSwap(entry) || isPrivateAction(entry);

/** Time in milliseconds for which a refusal counts. */
export const REFUSAL_WINDOW_MS = 600_000;
/** Number of refused private actions within the window from which an address is rejected. */
const REFUSALS_PER_CALLER = 8;
/** The same for a network. */
const REFUSALS_PER_NETWORK = 16;

/** Attempts of one pool that are charged to a loss budget. */
export interface PoolExposure {
  /** Losses within the budget window, oldest first. */
  readonly losses: readonly CallerLoss[];
  /** Refused private actions within {@link REFUSAL_WINDOW_MS}, oldest first. */
  readonly refusals: readonly Pick<CallerLoss, 'id' | 'endedAtMs'>[];
  /** Attempts of all callers that are in flight. */
  readonly live: readonly LiveEntry[];
  /** Returns the caller of the attempt in flight under this key; null if the caller is unknown. */
  readonly callerOf: (key: string) => Caller | null;
  readonly nowMs: number;
  /** True if the loss budget of the pool is used up. */
  readonly isStrict: boolean;
}

/**
 * Prevents a single caller or network from using up the loss budget of a pool. An attempt without a
 * known caller is charged only to the pool's budget. Callers are stored in memory for two hours, so
 * losses from before a restart are charged only to the pool.
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
   * Returns the error for a caller that has used up its share of the budget; null if the caller has
   * not.
   *
   * The share of an address is the configured percentage of the budget. The share of a network (/24
   * or /48) is a quarter, regardless of the number of its addresses. After an address or network
   * has caused a loss, its attempts in flight are charged as losses too, because all concurrent
   * attempts may revert.
   *
   * A caller with too many refused private actions is rejected too. A false proof costs no gas, but
   * a simulation, a signature and a send.
   *
   * Swaps and private actions in flight are charged to a network even before its first loss. A
   * market move reverts all swaps, and contracts that a caller chose can revert all its private
   * actions. If the policy closes the pool when the budget is used up, withdrawals in flight are
   * charged in the same manner.
   */
  rejection(
    caller: Caller,
    wantsSwap: boolean,
    exposure: PoolExposure,
  ): CallerBudgetExhausted | null {
    const { nowMs, isStrict, live, callerOf } = exposure;
    const { hourlyLossPerPoolFri, callerLossPercent, lossBudgetCloses } = this.limits;
    const isExposed = lossBudgetCloses ? (): boolean => true : canRevertAtOnce;
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
    const refusedUntilMs =
      this.#refusedUntil(isOwn, mostOf(caller, REFUSALS_PER_CALLER), exposure) ??
      this.#refusedUntil(isNeighbour, REFUSALS_PER_NETWORK, exposure);
    if (refusedUntilMs !== null && caller !== UNNAMED_CALLER)
      return new CallerBudgetExhausted({
        details: { cause: 'refusals' },
        retryAfterSeconds: secondsUntil(refusedUntilMs, nowMs),
      });
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
   * Returns the time at which these callers have fewer refusals than `most`, in Unix milliseconds;
   * null if they have fewer now.
   */
  #refusedUntil(
    counts: (caller: Caller | null) => boolean,
    most: number,
    { refusals }: PoolExposure,
  ): number | null {
    const own = refusals.filter(({ id }) => counts(this.attributions.callerOf(id)));
    const oldest = own.at(-most);
    return oldest === undefined ? null : oldest.endedAtMs + REFUSAL_WINDOW_MS;
  }

  /**
   * Returns the time at which a part of the share becomes free again, in Unix milliseconds; null if
   * a part of it is free now.
   * @param counts returns true for callers that share this budget
   * @param isAlwaysExposed returns true if an attempt in flight is charged even before the first
   *   loss
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
