import { toFelt, type DomainError, type Felt } from '@sotto/kernel';
import { FakeUpstreamDown } from '@sotto/kernel/testing';
import type {
  PrivacyPoolFacts,
  PrivacyPoolReader,
  WantedPoolFacts,
} from '../../private-actions/ports/privacy-pool-reader.port.js';

/** State of a pool that does not depend on a request. */
export type PrivacyPoolState = Omit<PrivacyPoolFacts, 'headNumber' | 'baseBlockHash' | 'taken'>;

const STATE: PrivacyPoolState = {
  classHash: toFelt('0x12345'),
  version: '2.0',
  isPaused: false,
  feeFri: 0n,
  validityBlocks: 450,
};

/** Privacy pools and a chain whose state a test sets. */
export class InMemoryPrivacyPools implements PrivacyPoolReader {
  readonly #pools = new Map<Felt, PrivacyPoolState>();
  readonly #written = new Set<string>();
  readonly #reads: WantedPoolFacts[] = [];
  #headNumber: number;
  #failure: DomainError | null = null;

  /** @param headNumber height of the chain's head */
  constructor(headNumber = 0) {
    this.#headNumber = headNumber;
  }

  /** Requests of all reads, oldest first. */
  get reads(): readonly WantedPoolFacts[] {
    return this.#reads;
  }

  /** Adds a pool or changes it. @default the state so far, or a free pool of version 2.0 */
  set(pool: Felt, changes: Partial<PrivacyPoolState> = {}): void {
    this.#pools.set(pool, { ...STATE, ...this.#pools.get(pool), ...changes });
  }

  /** Makes the value of a storage address of the pool different from zero. */
  write(pool: Felt, address: Felt): void {
    this.#written.add(`${pool}|${address}`);
  }

  setHead(headNumber: number): void {
    this.#headNumber = headNumber;
  }

  /** Returns the hash of the block at a height of this chain. */
  blockHash(number: number): Felt {
    return toFelt(BigInt(number) * 1_000n + 7n);
  }

  /** Makes every read reject with this error. Null makes later reads succeed again. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async facts(pool: Felt, wanted: WantedPoolFacts): Promise<PrivacyPoolFacts> {
    this.#reads.push(wanted);
    if (this.#failure !== null) throw this.#failure;
    const state = this.#pools.get(pool);
    if (state === undefined) throw new FakeUpstreamDown('the contract is no privacy pool');
    const { baseBlockNumber: base, addresses } = wanted;
    const headNumber = this.#headNumber;
    return {
      ...state,
      headNumber,
      baseBlockHash: base !== null && base <= headNumber ? this.blockHash(base) : null,
      taken: addresses.filter((address) => this.#written.has(`${pool}|${address}`)),
    };
  }
}
