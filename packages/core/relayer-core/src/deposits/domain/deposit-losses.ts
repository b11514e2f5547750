import type { CallerLoss } from '../../circuit-breaker/domain/money.js';
import { lossesFreeAt, type LossLimits } from '../../circuit-breaker/domain/user-losses.js';
import { quarterOf } from '@sotto/kernel';
import { DepositsRationed } from '../../deposit-errors.js';
import { BudgetExhausted } from '../../errors.js';
import { secondsUntil } from '../../relay/domain/seconds-until.js';
import {
  depositsOnTheWay,
  type DepositName,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';

export type DepositLossLimits = Pick<LossLimits, 'hourlyLossPerPoolFri' | 'callerLossPercent'>;

/** Deposits of one pool that are charged to its loss budget. */
export interface DepositExposure {
  /** Gas costs of the last hour's deposits that filled no leaf, oldest first. */
  readonly losses: readonly CallerLoss[];
  readonly traffic: Traffic;
  /**
   * Cost of one deposit, in fri; 0 before its simulation. This cost is assumed as the possible loss
   * of each deposit in flight.
   */
  readonly costFri: bigint;
  /** Returns true if the attempt is from the network of this caller. */
  readonly isOfNetwork: (attemptId: string) => boolean;
  readonly nowMs: number;
}

/**
 * Returns the error for a deposit if lost deposits have used up a budget; null otherwise.
 *
 * Deposits have their own budget, which is as large as the budget of withdrawals and swaps. The
 * share of a depositor is a configured percentage of it, and the share of a network is a quarter.
 * The second half of the budget is reserved for depositors and networks without losses and without
 * deposits in flight. Each of them costs at most one more deposit. The total loss exceeds the
 * budget by at most one deposit.
 */
export function depositLossRejection(
  { pool, fingerprint }: DepositName,
  { losses, traffic, costFri, isOfNetwork, nowMs }: DepositExposure,
  { hourlyLossPerPoolFri, callerLossPercent }: DepositLossLimits,
): DepositsRationed | BudgetExhausted | null {
  const counted = new Set(losses.map(({ id }) => id));
  const reverted = traffic.ended.filter(
    ({ subject, hasReverted, id }) => subject === pool && hasReverted && !counted.has(id),
  );
  const pending = [...depositsOnTheWay(traffic, pool), ...reverted].map(({ id }) => id);
  const ofDepositor = new Set(
    [...traffic.ended, ...traffic.live]
      .filter((deposit) => deposit.fingerprint === fingerprint)
      .map(({ id }) => id),
  );
  const freeAt = (counts: (id: string) => boolean, budgetFri: bigint): number | null => {
    const lost = losses.filter(({ id }) => counts(id));
    const exposed = pending.filter(counts).length;
    if (lost.length + exposed === 0) return null;
    return lossesFreeAt(lost, budgetFri, nowMs, BigInt(exposed) * costFri);
  };
  const ofPool = freeAt(always, hourlyLossPerPoolFri);
  const ofHalf = freeAt(always, (hourlyLossPerPoolFri + 1n) / 2n);
  const shares = [
    {
      scope: 'depositor',
      counts: (id: string) => ofDepositor.has(id),
      shareFri: (hourlyLossPerPoolFri * BigInt(callerLossPercent)) / 100n,
    },
    { scope: 'network', counts: isOfNetwork, shareFri: quarterOf(hourlyLossPerPoolFri) },
  ] as const;
  for (const { scope, counts, shareFri } of shares) {
    const hasShared = [...losses.map(({ id }) => id), ...pending].some(counts);
    const freeAtMs = freeAt(counts, shareFri) ?? (hasShared ? ofHalf : null);
    if (freeAtMs === null) continue;
    return new DepositsRationed({
      details: { scope },
      retryAfterSeconds: secondsUntil(freeAtMs, nowMs),
    });
  }
  return ofPool === null
    ? null
    : new BudgetExhausted({
        details: { scope: 'losses' },
        retryAfterSeconds: secondsUntil(ofPool, nowMs),
      });
}

const always = (): boolean => true;
