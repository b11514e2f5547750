import type { Clock, Felt } from '@sotto/kernel';
import type { CallSimulator, Attempt, Ledger, Revalidator } from '@sotto/submission-core';
import { EXECUTION_KIND } from '../domain/execution.js';

export interface PurchaseRevalidatorPolicy {
  /** One of the keeper's accounts. Executions are simulated as transactions of this account. */
  readonly account: Felt;
  /**
   * Time for which the simulation before the submission remains valid, in milliseconds. Suggested
   * value: 5,000.
   */
  readonly freshMs: number;
}

/**
 * Simulates a queued execution again right before it is sent. Since the first simulation, another
 * keeper may have executed the order, or the owner may have cancelled it. The revalidator ignores
 * executions that are already sent and attempts that are not executions of orders.
 */
export class PurchaseRevalidator implements Revalidator {
  constructor(
    private readonly ports: {
      readonly ledger: Pick<Ledger, 'calldata'>;
      readonly simulator: CallSimulator;
      readonly clock: Pick<Clock, 'nowMs'>;
    },
    private readonly policy: PurchaseRevalidatorPolicy,
  ) {}

  async rejectionOf(attempt: Attempt): Promise<string | null> {
    const { ledger, simulator, clock } = this.ports;
    if (attempt.kind !== EXECUTION_KIND || attempt.state !== 'accepted') return null;
    if (clock.nowMs() - attempt.acceptedAtMs < this.policy.freshMs) return null;
    const calldata = await ledger.calldata(attempt.id);
    if (calldata === null) throw new Error('calldata of a live execution is missing');
    const { ok } = await simulator.simulate({ ...attempt.target, calldata }, this.policy.account);
    return ok ? null : 'SIMULATION_REVERTED';
  }
}
