import type { Fault, Felt } from '@sotto/kernel';
import type { DepositAges } from '../ports/deposit-ages.port.js';
import { FakeUpstreamDown } from './fake-upstream-down.js';

/** Deposits as a test makes them, and a chain's clock that it moves. */
export class FakeDepositAges implements DepositAges {
  readonly #times = new Map<Felt, number[]>();
  #nowSeconds = 0;
  #fault: Fault | null = null;
  #reads = 0;

  /** How often it was asked. */
  get reads(): number {
    return this.#reads;
  }

  /** So many deposits, now. */
  deposit(pool: Felt, count: number): void {
    this.#times.set(pool, [...(this.#times.get(pool) ?? []), ...Array.from({ length: count }, () => this.#nowSeconds)]);
  }

  pass(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  /** Every read rejects with it until null is given. */
  fail(fault: Fault | null = new FakeUpstreamDown('the node is down')): void {
    this.#fault = fault;
  }

  async agesOf(pool: Felt, first: number, count: number): Promise<readonly number[]> {
    this.#reads += 1;
    if (this.#fault !== null) throw this.#fault;
    const times = this.#times.get(pool)?.slice(first, first + count) ?? [];
    if (times.length < count) throw new FakeUpstreamDown('the node does not show a deposit');
    return times.map((time) => this.#nowSeconds - time);
  }
}
