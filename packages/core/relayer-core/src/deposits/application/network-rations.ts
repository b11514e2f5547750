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
  networkShareRejection,
  rationed,
  depositsOnTheWay,
  type DepositLimits,
  type Traffic,
} from '../../pools/domain/deposit-traffic.js';
import type { DepositsRationed } from '../../deposit-errors.js';

/** Deposit that this instance accepted, with the networks of its caller. */
interface BegunDeposit {
  readonly id: string;
  /**
   * Networks of the deposit's caller, narrowest first; the caller's name if no network is known.
   */
  readonly networks: readonly string[];
  readonly acceptedAtMs: number;
}

/**
 * Limits the deposits of each network. Only deposits that this instance accepted are counted.
 *
 * - The limit of a network counts all its deposits that were begun within the hour. Each wider
 *   network has four times the limit of the next narrower network.
 * - The share of the widest network is a quarter of a pool's ration. This share counts only
 *   deposits that fill a leaf. Half of the ration is reserved for networks without a deposit within
 *   the hour.
 *
 * Networks are stored in memory for an hour, so a restart resets these limits. The pool's ration is
 * computed from rows, so a restart does not reset it.
 */
export class NetworkRations {
  #begun: readonly BegunDeposit[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly limits: Pick<DepositLimits, 'perNetwork' | 'perPool'>,
  ) {}

  /**
   * Returns the error for a deposit into the pool by this caller; null if the caller's networks may
   * begin a deposit.
   * @param nextIndex current number of leaves of the pool
   */
  rejection(
    caller: Caller,
    pool: Felt,
    traffic: Traffic,
    nextIndex: number,
  ): DepositsRationed | null {
    const nowMs = this.clock.monotonicMs();
    const ofLimit = this.#limitRejection(caller, nowMs);
    // A program that embeds the service may pass no caller. Its deposits are limited only by the
    // pool's ration.
    if (ofLimit !== null || caller === UNNAMED_CALLER) return ofLimit;
    const taken = leavesTaken(traffic, pool);
    const filling = new Set(taken.map(({ id }) => id));
    const widest = widestOf(caller);
    const ofNetwork = this.#begun
      .filter(({ id, networks }) => networks.includes(widest) && filling.has(id))
      .map(({ acceptedAtMs }) => acceptedAtMs);
    const leaves = leavesLeft(nextIndex, depositsOnTheWay(traffic, pool).length);
    // Rows use the wall clock, but the deposits of networks use the monotonic clock.
    const aheadMs = this.clock.nowMs() - nowMs;
    const ofPool = taken.map(({ acceptedAtMs }) => acceptedAtMs - aheadMs);
    return networkShareRejection(ofNetwork, ofPool, leaves, this.limits, nowMs);
  }

  /**
   * Returns a predicate for attempt ids. The predicate is true if the attempt is from the caller's
   * widest network and was begun within the hour.
   */
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
   * Returns the error if a network of the caller has reached its limit. Reverted deposits are
   * counted too, because each deposit costs the operator gas, regardless of the account that signed
   * it.
   */
  #limitRejection(caller: Caller, nowMs: number): DepositsRationed | null {
    const { perNetwork } = this.limits;
    for (const [index, network] of namesOf(caller).entries()) {
      const times = this.#begun
        .filter(({ networks }) => networks.includes(network))
        .map(({ acceptedAtMs }) => acceptedAtMs);
      const limit = index === 0 ? perNetwork : mostOfNetwork(index - 1, perNetwork);
      const rejection = rationed('network', times, limit, nowMs);
      if (rejection !== null) return rejection;
    }
    return null;
  }
}

const namesOf = ({ name, networks }: Caller): readonly string[] =>
  networks.length === 0 ? [name] : networks;
