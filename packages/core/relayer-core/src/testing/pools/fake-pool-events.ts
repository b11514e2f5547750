import type { DomainError, Felt } from '@sotto/kernel';
import type {
  DeployedLeaves,
  PoolDeposit,
  PoolEvents,
  SwapDeposit,
} from '../../pools/ports/pool-events.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

/** Pool events that a test adds, with a chain clock that the test advances. */
export class FakePoolEvents implements PoolEvents {
  readonly #times = new Map<Felt, number[]>();
  readonly #batches = new Map<Felt, DeployedLeaves[]>();
  readonly #deposits = new Map<string, PoolDeposit>();
  readonly #swapDeposits = new Map<Felt, SwapDeposit>();
  readonly #spenders = new Map<string, Felt>();
  #nowSeconds = 0;
  #failure: DomainError | null = null;
  #held: Promise<void> | null = null;
  #reads = 0;

  /** Number of reads of pool events so far. */
  get reads(): number {
    return this.#reads;
  }

  /** Adds this many deposits at the current time. */
  deposit(pool: Felt, count: number): void {
    this.#times.set(pool, [
      ...(this.#times.get(pool) ?? []),
      ...Array.from({ length: count }, () => this.#nowSeconds),
    ]);
  }

  /** Deploys this many of the pool's oldest waiting deposits as a batch. */
  deploy(pool: Felt, size: number): void {
    const batches = this.#batches.get(pool) ?? [];
    const start = batches.reduce((leaf, batch) => leaf + batch.size, 0);
    this.#batches.set(pool, [...batches, { id: batches.length, start, size }]);
  }

  pass(seconds: number): void {
    this.#nowSeconds += seconds;
  }

  setDeposit(pool: Felt, transactionHash: Felt, deposit: PoolDeposit): void {
    this.#deposits.set(`${pool}|${transactionHash}`, deposit);
  }

  setSwapDeposit(transactionHash: Felt, deposit: SwapDeposit): void {
    this.#swapDeposits.set(transactionHash, deposit);
  }

  /**
   * Sets the included transaction that spent a note. A later call for the same note changes
   * nothing.
   */
  setSpender(pool: Felt, nullifierHash: bigint, transactionHash: Felt): void {
    const name = `${pool}|${nullifierHash}`;
    this.#spenders.set(name, this.#spenders.get(name) ?? transactionHash);
  }

  /** Removes the transaction that spent the note, as a reorg does. */
  undoSpender(pool: Felt, nullifierHash: bigint): void {
    this.#spenders.delete(`${pool}|${nullifierHash}`);
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  /** Blocks all later reads of spending transactions until the returned function is called. */
  hold(): () => void {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    this.#held = promise;
    return () => {
      this.#held = null;
      open();
    };
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

  async depositOf(pool: Felt, transactionHash: Felt): Promise<PoolDeposit | null> {
    this.#read();
    return this.#deposits.get(`${pool}|${transactionHash}`) ?? null;
  }

  async swapDepositOf(transactionHash: Felt): Promise<SwapDeposit | null> {
    this.#read();
    return this.#swapDeposits.get(transactionHash) ?? null;
  }

  async spenderOf(pool: Felt, nullifierHash: bigint): Promise<Felt | null> {
    this.#reads += 1;
    if (this.#held !== null) await this.#held;
    if (this.#failure !== null) throw this.#failure;
    return this.#spenders.get(`${pool}|${nullifierHash}`) ?? null;
  }

  #read(): void {
    this.#reads += 1;
    if (this.#failure !== null) throw this.#failure;
  }
}
