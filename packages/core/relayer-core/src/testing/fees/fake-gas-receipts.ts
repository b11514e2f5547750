import type { Fault, Felt } from '@sotto/kernel';
import type { GasUsed } from '../../fees/domain/fee.js';
import type { GasReceipts } from '../../fees/ports/gas-receipts.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/** Knows the receipts that it was given. */
export class FakeGasReceipts implements GasReceipts {
  readonly #receipts = new Map<Felt, GasUsed>();
  readonly #asked: Felt[] = [];
  #fault: Fault | null = null;

  get asked(): readonly Felt[] {
    return this.#asked;
  }

  put(transactionHash: Felt, gas: GasUsed): void {
    this.#receipts.set(transactionHash, gas);
  }

  /** Every read rejects with it until null is given. */
  fail(fault: Fault | null = new FakeUpstreamDown('the node is down')): void {
    this.#fault = fault;
  }

  async gasOf(transactionHash: Felt): Promise<GasUsed | null> {
    if (this.#fault !== null) throw this.#fault;
    this.#asked.push(transactionHash);
    return this.#receipts.get(transactionHash) ?? null;
  }
}
