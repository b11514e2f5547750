import {
  UNNAMED_CALLER,
  mostOfNetwork,
  widestOf,
  type Caller,
  type Clock,
  type Felt,
} from '@sotto/kernel';
import {
  RATION_WINDOW_MS,
  leavesLeft,
  leavesTaken,
  networkShareRefusal,
  rationed,
  depositsOnTheWay,
  type DepositLimits,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';
import type { DepositsRationed } from '../../deposit-errors.js';

/** Deposit that this instance accepted. */
interface BegunDeposit {
  readonly id: string;
  /** Networks of its caller, narrowest first; the caller's name if no network is known. */
  readonly networks: readonly string[];
  readonly acceptedAtMs: number;
}

/**
 * Limits the deposits of each network. Only deposits that this instance accepted count.
 *
 * - All deposits begun within the hour count against the network's own limit. Each wider network
 *   has four times the limit of the next narrower one.
 * - Deposits that fill a leaf count against the widest network's quarter of a pool's ration. Half
 *   of that ration is for networks without a deposit within the hour.
 *
 * Networks are kept in memory for an hour, so a restart resets these limits. The pool's ration is
 * computed from rows and remains.
 */
export class NetworkRations {
  #begun: readonly BegunDeposit[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly limits: Pick<DepositLimits, 'perNetwork' | 'perPool'>,
  ) {}

  /**
   * Returns the error for a deposit into the pool by this caller; null if its networks may begin
   * one.
   * @param nextIndex current number of leaves of the pool
   */
  refusal(
    caller: Caller,
    pool: Felt,
    traffic: Traffic,
    nextIndex: number,
  ): DepositsRationed | null {
    const nowMs = this.clock.monotonicMs();
    const ofLimit = this.#limitRefusal(caller, nowMs);
    // Programs that embed the service without naming callers have only the pool's ration.
    if (ofLimit !== null || caller === UNNAMED_CALLER) return ofLimit;
    const taken = leavesTaken(traffic, pool);
    const filling = new Set(taken.map(({ id }) => id));
    const widest = widestOf(caller);
    const ofNetwork = this.#begun
      .filter(({ id, networks }) => networks.includes(widest) && filling.has(id))
      .map(({ acceptedAtMs }) => acceptedAtMs);
    const leaves = leavesLeft(nextIndex, depositsOnTheWay(traffic, pool).length);
    // Rows use the wall clock; networks are counted by the monotonic clock.
    const aheadMs = this.clock.nowMs() - nowMs;
    const ofPool = taken.map(({ acceptedAtMs }) => acceptedAtMs - aheadMs);
    return networkShareRefusal(ofNetwork, ofPool, leaves, this.limits, nowMs);
  }

  /** Returns a predicate for attempts from the caller's widest network within the hour. */
  ofNetwork(caller: Caller): (attemptId: string) => boolean {
    const widest = widestOf(caller);
    const own = this.#begun.filter(({ networks }) => networks.includes(widest));
    const ids = new Set(caller === UNNAMED_CALLER ? [] : own.map(({ id }) => id));
    return (id) => ids.has(id);
  }

  begun(caller: Caller, id: string): void {
    const nowMs = this.clock.monotonicMs();
    const recent = this.#begun.filter(
      ({ acceptedAtMs }) => acceptedAtMs > nowMs - RATION_WINDOW_MS,
    );
    this.#begun = [...recent, { id, networks: namesOf(caller), acceptedAtMs: nowMs }];
  }

  /**
   * Counts reverted deposits too: each costs the operator gas, no matter which caller signed it.
   */
  #limitRefusal(caller: Caller, nowMs: number): DepositsRationed | null {
    const { perNetwork } = this.limits;
    for (const [index, network] of namesOf(caller).entries()) {
      const times = this.#begun
        .filter(({ networks }) => networks.includes(network))
        .map(({ acceptedAtMs }) => acceptedAtMs);
      const limit = index === 0 ? perNetwork : mostOfNetwork(index - 1, perNetwork);
      const refusal = rationed('network', times, limit, nowMs);
      if (refusal !== null) return refusal;
    }
    return null;
  }
}

const namesOf = ({ name, networks }: Caller): readonly string[] =>
  networks.length === 0 ? [name] : networks;
