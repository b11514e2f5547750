import type { DomainError, Felt } from '@sotto/kernel';
import type { SwapLeaf } from '../../pools/domain/swap-leaf.js';
import type { PoolStatus } from '../../pools/domain/pool.js';
import type {
  PoolReader,
  WithdrawalFacts,
  WithdrawalPlace,
} from '../../pools/ports/pool-reader.port.js';
import { FakeLatestBlock } from '@sotto/submission-core/testing';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

export interface InMemoryPool {
  readonly maxFee: bigint;
  readonly nextIndex: number;
  readonly undeployedCount: number;
  readonly knownRoots: readonly bigint[];
  readonly spentNullifiers: readonly bigint[];
  /** Of a swap pool. @default none */
  readonly leaves?: readonly SwapLeaf[];
}

/** A status without its block. */
export type PoolFigures = Omit<PoolStatus, 'blockNumber' | 'timestamp'>;

/** Pools as a test sets them. */
export class InMemoryPools implements PoolReader {
  readonly #pools = new Map<Felt, InMemoryPool>();
  readonly #statuses = new Map<Felt, PoolFigures>();
  readonly #preConfirmed = new Map<Felt, number>();
  #statusReads = 0;
  #failure: DomainError | null = null;

  /** @param latestBlock the one that statuses are as of */
  constructor(private readonly latestBlock = new FakeLatestBlock()) {}

  /** How many statuses were read. */
  get reads(): number {
    return this.#statusReads;
  }

  set(pool: Felt, state: InMemoryPool): void {
    this.#pools.set(pool, state);
  }

  setStatus(pool: Felt, status: PoolFigures): void {
    this.#statuses.set(pool, status);
  }

  /** So many deposits more wait in the pre-confirmed block than in the accepted one, or fewer. */
  preConfirm(pool: Felt, deposits: number): void {
    this.#preConfirmed.set(pool, deposits);
  }

  /** The nullifier's note has been withdrawn. */
  spend(pool: Felt, nullifierHash: bigint): void {
    const state = this.#stateOf(pool, this.#pools);
    this.#pools.set(pool, { ...state, spentNullifiers: [...state.spentNullifiers, nullifierHash] });
  }

  /** Every read of a pool rejects with it until null is given. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async poolStatus(pool: Felt): Promise<PoolStatus> {
    this.#statusReads += 1;
    const { height, timestamp } = this.latestBlock;
    return { ...this.#stateOf(pool, this.#statuses), blockNumber: height, timestamp };
  }

  async preConfirmedWaiting(pool: Felt): Promise<number> {
    const { undeployedCount } = this.#stateOf(pool, this.#statuses);
    return undeployedCount + (this.#preConfirmed.get(pool) ?? 0);
  }

  async withdrawalFacts(
    pool: Felt,
    { root, nullifierHash, batchStart }: WithdrawalPlace,
  ): Promise<WithdrawalFacts> {
    const { maxFee, nextIndex, undeployedCount, knownRoots, spentNullifiers, leaves } =
      this.#stateOf(pool, this.#pools);
    const rootKnown = knownRoots.includes(root);
    const leaf = leaves?.[batchStart] ?? null;
    return {
      maxFee: leaf?.maxFee ?? maxFee,
      nextIndex,
      undeployedCount,
      rootKnown,
      leaf,
      nullifierSpent: spentNullifiers.includes(nullifierHash),
    };
  }

  async nullifierSpent(pool: Felt, nullifierHash: bigint): Promise<boolean> {
    return this.#stateOf(pool, this.#pools).spentNullifiers.includes(nullifierHash);
  }

  #stateOf<State>(pool: Felt, states: ReadonlyMap<Felt, State>): State {
    if (this.#failure !== null) throw this.#failure;
    const state = states.get(pool);
    if (state === undefined) throw new FakeUpstreamDown('no pool at this address');
    return state;
  }
}
