import type { DomainError, Felt } from '@sotto/kernel';
import type { PoolStatus } from '../../pools/domain/pool-status.js';
import type { BlockClock } from '../../relay/ports/block-clock.port.js';
import type { PoolStatusReader } from '../../pools/ports/pool-status-reader.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

/** A chain of numbered blocks, and pools whose status a test sets. */
export class InMemoryPoolStatuses implements PoolStatusReader, BlockClock {
  readonly #statuses = new Map<Felt, Omit<PoolStatus, 'blockNumber'>>();
  #block = 1;
  #reads = 0;
  #readFailure: DomainError | null = null;
  #clockFailure: DomainError | null = null;

  /** How many statuses were read. */
  get reads(): number {
    return this.#reads;
  }

  set(pool: Felt, status: Omit<PoolStatus, 'blockNumber'>): void {
    this.#statuses.set(pool, status);
  }

  /** The latest block becomes this one. @default the next */
  mine(block: number = this.#block + 1): void {
    this.#block = block;
  }

  /** Every read of a status rejects with it until null is given. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#readFailure = failure;
  }

  /** Every question for the latest block rejects with it until null is given. */
  failClock(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#clockFailure = failure;
  }

  async latestBlockNumber(): Promise<number> {
    if (this.#clockFailure !== null) throw this.#clockFailure;
    return this.#block;
  }

  async poolStatus(pool: Felt): Promise<PoolStatus> {
    this.#reads += 1;
    if (this.#readFailure !== null) throw this.#readFailure;
    const status = this.#statuses.get(pool);
    if (status === undefined) throw new FakeUpstreamDown('no pool at this address');
    return { ...status, blockNumber: this.#block };
  }
}
