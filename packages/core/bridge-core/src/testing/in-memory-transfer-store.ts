import type { DomainError } from '@sotto/kernel';
import { isUnused, type Transfer } from '../domain/transfer.js';
import type { TransferStore } from '../ports/transfer-store.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

interface Entry {
  readonly transfer: Transfer;
  readonly changedAtMs: number;
}

/** Store of transfers in memory. The transfers are lost when the process ends. */
export class InMemoryTransferStore implements TransferStore {
  readonly #entries = new Map<string, Entry>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null restores normal behaviour. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async get(transactionId: string): Promise<Transfer | null> {
    this.#answer();
    return this.#entries.get(transactionId)?.transfer ?? null;
  }

  async update(
    transactionId: string,
    nowMs: number,
    change: (remembered: Transfer | null) => Transfer,
  ): Promise<Transfer> {
    this.#answer();
    const remembered = this.#entries.get(transactionId)?.transfer ?? null;
    const transfer = change(remembered);
    if (transfer !== remembered) this.#entries.set(transactionId, { transfer, changedAtMs: nowMs });
    return transfer;
  }

  async forget({ usedMs, unusedMs }: { usedMs: number; unusedMs: number }): Promise<number> {
    this.#answer();
    const old = [...this.#entries].filter(
      ([, { transfer, changedAtMs }]) => changedAtMs < (isUnused(transfer) ? unusedMs : usedMs),
    );
    for (const [transactionId] of old) this.#entries.delete(transactionId);
    return old.length;
  }

  async countUnconfirmed(sinceSeconds: number): Promise<number> {
    this.#answer();
    return [...this.#entries.values()].filter(
      ({ transfer: { unconfirmedSinceSeconds } }) =>
        unconfirmedSinceSeconds !== null && unconfirmedSinceSeconds <= sinceSeconds,
    ).length;
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
