import { type Clock, type DomainError, type Felt } from '@sotto/kernel';
import type { PoolVerdict } from '../../circuit-breaker/domain/pool-circuit-breaker.js';
import type { PoolCircuitBreaker } from '../../circuit-breaker/application/pool-circuit-breaker.js';
import type { PoolTraffic } from '../../pools/application/pool-traffic.js';
import {
  depositsOnTheWay,
  leavesLeft,
  leavesTaken,
  rationLeft,
  rationed,
  type DepositLimits,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';

/** Deposits into a pool that its limits allow now, for all callers together. */
export interface PoolDeposits {
  readonly accepting: boolean;
  /** Earliest Unix time in milliseconds of the next deposit; null if accepting, or if unknown. */
  readonly nextAtMs: number | null;
  /** Number of deposits that may begin now; null if the pool's leaves are unknown. */
  readonly left: number | null;
  /** Number of deposits that the hourly limit still allows. */
  readonly rationLeft: number;
}

/** Returns the state of a pool's deposits. @param nextIndex leaves of the pool; null if unknown */
export type PoolDepositsOf = (pool: Felt, nextIndex: number | null) => PoolDeposits;

/**
 * Reads which pools accept deposits now. The result concerns pools only, so every caller gets the
 * same. The limits of one depositor or network are in the dry run of its deposit.
 */
export class GetPoolDeposits {
  constructor(
    private readonly traffic: Pick<PoolTraffic, 'now'>,
    private readonly guard: Pick<PoolCircuitBreaker, 'pools'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly rations: Pick<DepositLimits, 'perPool' | 'leafReserve'>,
  ) {}

  /** Rejects with the error of the store. */
  async execute(): Promise<PoolDepositsOf> {
    const [traffic, guarded] = await Promise.all([this.traffic.now(), this.guard.pools()]);
    const nowMs = this.clock.nowMs();
    return (pool, nextIndex) => {
      const verdict = guarded.find((each) => each.pool.address === pool)?.deposits;
      return this.#of(pool, nextIndex, traffic, { verdict: verdict ?? { kind: 'open' }, nowMs });
    };
  }

  #of(
    pool: Felt,
    nextIndex: number | null,
    traffic: Traffic,
    { verdict, nowMs }: { readonly verdict: PoolVerdict; readonly nowMs: number },
  ): PoolDeposits {
    const { perPool, leafReserve } = this.rations;
    const ofHour = rationLeft(traffic, pool, { perPool }, nowMs);
    const free =
      nextIndex === null
        ? null
        : Math.max(0, leavesLeft(nextIndex, depositsOnTheWay(traffic, pool).length) - leafReserve);
    const isOpen = verdict.kind === 'open' || verdict.kind === 'trial';
    const left = free === null ? null : Math.min(ofHour, free);
    const accepting = isOpen && ofHour > 0 && free !== 0;
    const times = leavesTaken(traffic, pool).map(({ acceptedAtMs }) => acceptedAtMs);
    const nextAtMs = [
      isOpen ? nowMs : verdict.untilMs,
      // A pool without free leaves, and a limit of 0, allow no deposit at any time.
      free === 0 || perPool === 0 ? null : nowMs + waitMs(rationed('pool', times, perPool, nowMs)),
    ];
    return {
      accepting,
      left: isOpen ? left : 0,
      rationLeft: ofHour,
      nextAtMs: accepting ? null : latest(nextAtMs),
    };
  }
}

function waitMs(rejection: DomainError | null): number {
  return (rejection?.retryAfterSeconds ?? 0) * 1_000;
}

/** Returns the latest time; null if one of them is unknown. */
function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((last, time) =>
    last === null || time === null ? null : Math.max(last, time),
  );
}
