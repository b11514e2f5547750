import type { Caller, Clock, DomainError } from '@sotto/kernel';
import type { SettlementWindow } from '../../circuit-breaker/application/settlement-window.js';
import { BUDGET_WINDOW_MS } from '../../circuit-breaker/domain/money.js';
import type { NetworkRations } from './network-rations.js';
import { depositLossRefusal, type DepositLossLimits } from '../domain/deposit-losses.js';
import type { DepositName, Traffic } from '../../pools/domain/deposit-traffic.js';

/** Keeps the deposits of a pool that fill no leaf from costing more than they may. */
export class DepositLosses {
  constructor(
    private readonly view: Pick<SettlementWindow, 'now'>,
    private readonly networks: Pick<NetworkRations, 'ofNetwork'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly limits: DepositLossLimits,
  ) {}

  /**
   * Rejection of a deposit of this caller; null if it may begin. Rejects with the error of the
   * store.
   * @param costFri cost of the deposit; 0 before it was simulated
   */
  async refusal(
    name: DepositName,
    caller: Caller,
    traffic: Traffic,
    costFri: bigint,
  ): Promise<DomainError | null> {
    const { ended } = await this.view.now();
    const nowMs = this.clock.nowMs();
    const losses = ended.depositLosses(name.pool, nowMs - BUDGET_WINDOW_MS);
    const isOfNetwork = this.networks.ofNetwork(caller);
    const exposure = { losses, traffic, costFri, isOfNetwork, nowMs };
    return depositLossRefusal(name, exposure, this.limits);
  }
}
