import type { DomainError } from '@sotto/kernel';
import type { GasUse, SucceededRelay } from '../../fees/domain/gas-use.js';
import type { GasStore } from '../../fees/ports/gas-store.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

const KEPT = 100;
const newestFirst = <T extends { readonly endedAtMs: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.endedAtMs - a.endedAtMs);

/** Store of used gas in memory. The test adds ended attempts. */
export class InMemoryGasStore implements GasStore {
  readonly #ended: (SucceededRelay | { readonly endedAtMs: number })[] = [];
  #uses: readonly GasUse[] = [];
  #failure: DomainError | null = null;

  /** Adds an ended attempt, which succeeded if it has a transaction hash. */
  end(attempt: SucceededRelay | { readonly endedAtMs: number }): void {
    this.#ended.push(attempt);
  }

  /** Makes every call reject with this error. Null makes later calls succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the store is down')): void {
    this.#failure = failure;
  }

  async newest(): Promise<readonly (SucceededRelay & { readonly isKnown: boolean })[]> {
    this.#assertUp();
    const kept = new Set(this.#uses.map(({ transactionHash }) => transactionHash));
    return newestFirst(this.#ended)
      .slice(0, KEPT)
      .flatMap((attempt) =>
        'transactionHash' in attempt
          ? [{ ...attempt, isKnown: kept.has(attempt.transactionHash) }]
          : [],
      );
  }

  async add(uses: readonly GasUse[]): Promise<void> {
    this.#assertUp();
    for (const use of uses) {
      if (this.#uses.some(({ transactionHash }) => transactionHash === use.transactionHash))
        continue;
      const isSame = ({ pool, operation }: GasUse): boolean =>
        pool === use.pool && operation === use.operation;
      const same = newestFirst([...this.#uses.filter(isSame), use]).slice(0, KEPT);
      this.#uses = [...this.#uses.filter((other) => !isSame(other)), ...same];
    }
  }

  async uses(): Promise<readonly GasUse[]> {
    this.#assertUp();
    return this.#uses;
  }

  #assertUp(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
