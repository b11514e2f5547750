import type { Felt } from '@sotto/kernel';
import type { SettledAttempt } from './settled-attempt.js';
import { earned, isLoss, sum, type LiveEntry, type MoneyEntry } from './money.js';
import { decimalsOf, type RelayedPool } from '../../pools/domain/pool.js';

/** Income and cost of one pool over a period of time. */
export interface PoolPnl {
  readonly pool: Felt;
  /**
   * Income in the smallest unit of the pool's ERC-20 token. Null for the swap pool and the privacy
   * pool, which earn fees in several tokens.
   */
  readonly earnedFeeToken: bigint | null;
  /** Income in fri. Each fee is converted at the prices of its admission. */
  readonly earnedFri: bigint;
  readonly spentFri: bigint;
  /** Expected cost of attempts that have not ended, in fri. */
  readonly reservedFri: bigint;
  readonly succeeded: number;
  readonly reverted: number;
  /** Number of refused or expired attempts, none of whose transactions is on chain. */
  readonly unsent: number;
  readonly losses: number;
  /**
   * Used part of the loss budget, in fri: the cost of reverts caused by callers, and the uncovered
   * cost of successes whose fee was too low.
   */
  readonly lostFri: bigint;
}

/** Sums up the entries of a pool. */
export function moneyOf(
  pool: RelayedPool,
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
    earnedFeeToken: hasOneFeeToken(pool) ? sum(brought.map(({ feeToken }) => feeToken)) : null,
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

const hasOneFeeToken = ({ kind }: RelayedPool): boolean =>
  kind !== 'swap_output' && kind !== 'privacy';
