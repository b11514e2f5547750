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
  /** Networks of its caller, narrowest first; the caller itself where none is known. */
  readonly networks: readonly string[];
  readonly acceptedAtMs: number;
}

/**
 * Counts the deposits of each network, as this instance knows them: all that began within the hour
 * against the network's own limit, of which the next wider network has four times as much, and
 * those that fill a leaf against the widest network's quarter of a pool's ration, half of which is
 * for networks without a deposit within the hour. Networks are held in memory alone and are
 * forgotten after an hour or with the process: after a restart a network has its quarter again. The
 * pool's ration rests on rows and stays.
 */
export class NetworkRations {
  #begun: readonly BegunDeposit[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly limits: Pick<DepositLimits, 'perNetwork' | 'perPool'>,
  ) {}

  /**
   * Rejection of a deposit into the pool by this caller; null if its networks may begin one.
   * @param nextIndex leaves that the pool has now
   */
  refusal(
    caller: Caller,
    pool: Felt,
    traffic: Traffic,
    nextIndex: number,
  ): DepositsRationed | null {
    const nowMs = this.clock.monotonicMs();
    const ofLimit = this.#limitRefusal(caller, nowMs);
    // A program that embeds the service and names no callers has the pool's ration alone.
    if (ofLimit !== null || caller === UNNAMED_CALLER) return ofLimit;
    const taken = leavesTaken(traffic, pool);
    const filling = new Set(taken.map(({ id }) => id));
    const widest = widestOf(caller);
    const ofNetwork = this.#begun
      .filter(({ id, networks }) => networks.includes(widest) && filling.has(id))
      .map(({ acceptedAtMs }) => acceptedAtMs);
    const leaves = leavesLeft(nextIndex, depositsOnTheWay(traffic, pool).length);
    // Rows have the wall clock's times; networks are counted by the monotonic clock.
    const aheadMs = this.clock.nowMs() - nowMs;
    const ofPool = taken.map(({ acceptedAtMs }) => acceptedAtMs - aheadMs);
    return networkShareRefusal(ofNetwork, ofPool, leaves, this.limits, nowMs);
  }

  /** Recognizes attempts that came from the widest network of the caller within the hour. */
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

  /** A reverted deposit counts too: it costs the operator gas, whatever caller signed it. */
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
