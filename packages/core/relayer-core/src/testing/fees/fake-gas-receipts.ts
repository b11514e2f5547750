import type { DomainError, Felt } from '@sotto/kernel';
import type { GasUsed } from '@sotto/submission-core';
import type { GasReceipts } from '../../fees/ports/gas-receipts.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Returns the receipts that a test has added. */
export class FakeGasReceipts implements GasReceipts {
  readonly #receipts = new Map<Felt, GasUsed>();
  readonly #requested: Felt[] = [];
  #failure: DomainError | null = null;

  get requested(): readonly Felt[] {
    return this.#requested;
  }

  put(transactionHash: Felt, gas: GasUsed): void {
    this.#receipts.set(transactionHash, gas);
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async gasOf(transactionHash: Felt): Promise<GasUsed | null> {
    if (this.#failure !== null) throw this.#failure;
    this.#requested.push(transactionHash);
    return this.#receipts.get(transactionHash) ?? null;
  }
}
