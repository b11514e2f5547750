import type { DomainError, Felt } from '@sotto/kernel';
import type { SwapDeposit, SwapDeposits } from '../../pools/ports/swap-deposits.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Deposits as a test sets them. */
export class FakeSwapDeposits implements SwapDeposits {
  readonly #deposits = new Map<Felt, SwapDeposit>();
  #failure: DomainError | null = null;
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  set(transactionHash: Felt, deposit: SwapDeposit): void {
    this.#deposits.set(transactionHash, deposit);
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async depositOf(transactionHash: Felt): Promise<SwapDeposit | null> {
    this.#reads += 1;
    if (this.#failure !== null) throw this.#failure;
    return this.#deposits.get(transactionHash) ?? null;
  }

  async hasCommitment(commitment: bigint): Promise<boolean> {
    if (this.#failure !== null) throw this.#failure;
    return [...this.#deposits.values()].some((deposit) => deposit.commitment === commitment);
  }
}
