import type { Felt } from '@sotto/kernel';
import type { SettledAttempt } from './settled-attempt.js';
import { earned, isLoss, sum, type LiveEntry, type MoneyEntry } from './money.js';
import { decimalsOf, type NotePool } from '../../pools/domain/pool.js';

/** Money of one pool over a time. */
export interface PoolPnl {
  readonly pool: Felt;
  /**
   * In the smallest unit of the pool's token; null for the swap pool, whose fees are paid in
   * several.
   */
  readonly earnedFeeToken: bigint | null;
  /** The same in fri, each fee at the prices of its own admission. */
  readonly earnedFri: bigint;
  readonly spentFri: bigint;
  /** What live attempts are expected to cost. */
  readonly reservedFri: bigint;
  readonly succeeded: number;
  readonly reverted: number;
  /** Refused or expired: nothing of them is on chain. */
  readonly unsent: number;
  readonly losses: number;
  /** Part of the loss budget that is used up: reverts of callers, and fees below their cost. */
  readonly lostFri: bigint;
}

/** Sums of a pool's entries. */
export function moneyOf(
  pool: NotePool,
  ended: SettledAttempt,
  live: readonly LiveEntry[],
): PoolPnl {
  const own = (['relay', 'batch', 'deposit', 'adopted'] as const).flatMap((kind) =>
    ended.of(pool.address, kind),
  );
  const brought = own.map((entry) => earned(entry, decimalsOf(pool, entry.terms?.feeToken)));
  const count = (...states: readonly MoneyEntry['state'][]): number =>
    own.filter(({ state }) => states.includes(state)).length;
  return {
    pool: pool.address,
    earnedFeeToken:
      pool.kind === 'swap_output' ? null : sum(brought.map(({ feeToken }) => feeToken)),
    earnedFri: sum(brought.map(({ fri }) => fri)),
    spentFri: sum(own.map(({ gasPaidFri }) => gasPaidFri)),
    reservedFri: sum(
      live.filter(({ subject }) => subject === pool.address).map(({ costFri }) => costFri ?? 0n),
    ),
    succeeded: count('succeeded'),
    reverted: count('reverted'),
    unsent: count('refused', 'expired'),
    losses: own.filter((entry) => isLoss(entry, decimalsOf(pool, entry.terms?.feeToken))).length,
    lostFri: sum(ended.userLosses(pool, -Infinity).map(({ lossFri }) => lossFri)),
  };
}
