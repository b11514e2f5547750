import type { Caller, Clock, DomainError } from '@sotto/kernel';
import type { SettlementWindow } from '../../circuit-breaker/application/settlement-window.js';
import { BUDGET_WINDOW_MS } from '../../circuit-breaker/domain/money.js';
import type { NetworkRations } from './network-rations.js';
import { depositLossRejection, type DepositLossLimits } from '../domain/deposit-losses.js';
import type { DepositName, Traffic } from '../../pools/domain/deposit-traffic.js';

/** Limits the cost of a pool's deposits that fill no leaf because they fail. */
export class DepositLosses {
  constructor(
    private readonly view: Pick<SettlementWindow, 'now'>,
    private readonly networks: Pick<NetworkRations, 'ofNetwork'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly limits: DepositLossLimits,
  ) {}

  /**
   * Returns the error for a deposit of this caller; null if the deposit may begin. Rejects with the
   * error of the store.
   * @param costFri cost of the deposit in fri; 0 before its simulation
   */
  async rejection(
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
    return depositLossRejection(name, exposure, this.limits);
  }
}
