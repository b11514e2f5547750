import type { DomainError, Felt } from '@sotto/kernel';
import type { PoolDeposit, PoolDeposits } from '../../pools/ports/pool-deposits.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Deposits as a test sets them. */
export class FakePoolDeposits implements PoolDeposits {
  readonly #deposits = new Map<string, PoolDeposit>();
  #failure: DomainError | null = null;

  set(pool: Felt, transactionHash: Felt, deposit: PoolDeposit): void {
    this.#deposits.set(`${pool}|${transactionHash}`, deposit);
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null> {
    if (this.#failure !== null) throw this.#failure;
    return this.#deposits.get(`${pool}|${transactionHash}`) ?? null;
  }
}
