import type { Fault, Felt } from '@sotto/kernel';
import type { SwapDeposit, SwapDeposits } from '../../swaps/ports/swap-deposits.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/** Deposits as a test sets them. */
export class FakeSwapDeposits implements SwapDeposits {
  readonly #deposits = new Map<Felt, SwapDeposit>();
  #fault: Fault | null = null;
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  set(transactionHash: Felt, deposit: SwapDeposit): void {
    this.#deposits.set(transactionHash, deposit);
  }

  /** Every read rejects with it until null is given. */
  fail(fault: Fault | null = new FakeUpstreamDown('the node is down')): void {
    this.#fault = fault;
  }

  async depositOf(transactionHash: Felt): Promise<SwapDeposit | null> {
    this.#reads += 1;
    if (this.#fault !== null) throw this.#fault;
    return this.#deposits.get(transactionHash) ?? null;
  }

  async hasCommitment(commitment: bigint): Promise<boolean> {
    if (this.#fault !== null) throw this.#fault;
    return [...this.#deposits.values()].some((deposit) => deposit.commitment === commitment);
  }
}
