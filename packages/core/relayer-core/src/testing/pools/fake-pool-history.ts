import type { DomainError, Felt } from '@sotto/kernel';
import type { DeployedLeaves } from '../../pools/ports/pool-deposits.port.js';
import type { PoolHistory } from '../../pools/ports/pool-history.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Deposits as a test makes them, and a chain's clock that it moves. */
export class FakePoolHistory implements PoolHistory {
  readonly #times = new Map<Felt, number[]>();
  readonly #batches = new Map<Felt, DeployedLeaves[]>();
  #nowSeconds = 0;
  #failure: DomainError | null = null;
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  /** So many deposits, now. */
  deposit(pool: Felt, count: number): void {
    this.#times.set(pool, [
      ...(this.#times.get(pool) ?? []),
      ...Array.from({ length: count }, () => this.#nowSeconds),
    ]);
  }

  /** The oldest of a pool's waiting deposits, so many, become active. */
  deploy(pool: Felt, size: number): void {
    const batches = this.#batches.get(pool) ?? [];
    const start = batches.reduce((leaf, batch) => leaf + batch.size, 0);
    this.#batches.set(pool, [...batches, { id: batches.length, start, size }]);
  }

  pass(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]> {
    this.#read();
    const times = this.#times.get(pool)?.slice(first, first + count) ?? [];
    if (times.length < count) throw new FakeUpstreamDown('the node does not show a deposit');
    return times.map((time) => this.#nowSeconds - time);
  }

  async batchesOf(pool: Felt): Promise<readonly DeployedLeaves[]> {
    this.#read();
    return this.#batches.get(pool) ?? [];
  }

  #read(): void {
    this.#reads += 1;
    if (this.#failure !== null) throw this.#failure;
  }
}
