import { UNNAMED_CALLER, widestOf, type Caller, type Clock, type Felt } from '@sotto/kernel';
import {
  RATION_WINDOW_MS,
  leavesLeft,
  leavesTaken,
  networkShareRefusal,
  rationed,
  depositsOnTheWay,
  type DepositLimits,
  type Traffic,
} from '../../deposits/domain/deposit-traffic.js';
import type { DepositsRationed } from '../../deposit-errors.js';

/** Deposit that this instance accepted. */
interface BegunDeposit {
  readonly id: string;
  /** Narrowest network of its caller. */
  readonly network: string;
  /** Widest network of its caller. */
  readonly widest: string;
  readonly acceptedAtMs: number;
}

/**
 * Counts the deposits of each network, as this instance knows them: all that began within the hour
 * against the network's own limit, and those that fill a leaf against its quarter of a pool's
 * ration, half of which is for networks without a deposit within the hour. Networks are held in memory alone and are forgotten after an hour or with the process:
 * after a restart a network has its quarter again. The pool's ration rests on rows and stays.
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
    const times = this.#begun
      .filter(({ network }) => network === narrowestOf(caller))
      .map(({ acceptedAtMs }) => acceptedAtMs);
    const ofLimit = rationed('network', times, this.limits.perNetwork, nowMs);
    // A program that embeds the service and names no callers has the pool's ration alone.
    if (ofLimit !== null || caller === UNNAMED_CALLER) return ofLimit;
    const taken = leavesTaken(traffic, pool);
    const filling = new Set(taken.map(({ id }) => id));
    const widest = widestOf(caller);
    const ofNetwork = this.#begun
      .filter((deposit) => deposit.widest === widest && filling.has(deposit.id))
      .map(({ acceptedAtMs }) => acceptedAtMs);
    const leaves = leavesLeft(nextIndex, depositsOnTheWay(traffic, pool).length);
    // Rows have the wall clock's times; networks are counted by the monotonic clock.
    const aheadMs = this.clock.nowMs() - nowMs;
    const ofPool = taken.map(({ acceptedAtMs }) => acceptedAtMs - aheadMs);
    return networkShareRefusal(ofNetwork, ofPool, leaves, this.limits, nowMs);
  }

  begun(caller: Caller, id: string): void {
    const nowMs = this.clock.monotonicMs();
    const recent = this.#begun.filter(
      ({ acceptedAtMs }) => acceptedAtMs > nowMs - RATION_WINDOW_MS,
    );
    const deposit = { id, network: narrowestOf(caller), widest: widestOf(caller) };
    this.#begun = [...recent, { ...deposit, acceptedAtMs: nowMs }];
  }
}

function narrowestOf({ name, networks }: Caller): string {
  return networks[0] ?? name;
}
