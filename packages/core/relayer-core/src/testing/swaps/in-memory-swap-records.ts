import type { DomainError, Felt } from '@sotto/kernel';
import type { KeptSwapCall, SwapRecords } from '../../swaps/ports/swap-records.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Swap records in memory, which contain the entries that a test adds. */
export class InMemorySwapRecords implements SwapRecords {
  readonly #kept: KeptSwapCall[] = [];
  readonly #readUpTo = new Map<Felt, bigint>();
  #failure: DomainError | null = null;

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  /** Adds an accepted call, as the ledger stores it. */
  keep(call: Omit<KeptSwapCall, 'seq'>): void {
    this.#kept.push({ ...call, seq: BigInt(this.#kept.length + 1) });
  }

  async kept(after: bigint, limit: number): Promise<readonly KeptSwapCall[]> {
    this.#answer();
    return this.#kept.filter(({ seq }) => seq > after).slice(0, limit);
  }

  async readUpTo(account: Felt): Promise<bigint> {
    this.#answer();
    return this.#readUpTo.get(account) ?? 0n;
  }

  async noteReadUpTo(account: Felt, nonce: bigint): Promise<void> {
    if (nonce > (await this.readUpTo(account))) this.#readUpTo.set(account, nonce);
  }

  #answer(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
