import type { DomainError, Felt } from '@sotto/kernel';
import type { SwapLeaf } from '../../swaps/domain/swap-leaf.js';
import type {
  PoolReader,
  WithdrawalFacts,
  WithdrawalPlace,
} from '../../pools/ports/pool-reader.port.js';
import { FakeUpstreamDown } from '../relay/fake-upstream-down.js';

export interface InMemoryPool {
  readonly maxFee: bigint;
  readonly nextIndex: number;
  readonly undeployedCount: number;
  readonly knownRoots: readonly bigint[];
  readonly spentNullifiers: readonly bigint[];
  /** Of a swap pool. @default none */
  readonly leaves?: readonly SwapLeaf[];
}

/** Pools as a test sets them. */
export class InMemoryPools implements PoolReader {
  readonly #pools = new Map<Felt, InMemoryPool>();
  #failure: DomainError | null = null;

  set(pool: Felt, state: InMemoryPool): void {
    this.#pools.set(pool, state);
  }

  /** The nullifier's note has been withdrawn. */
  spend(pool: Felt, nullifierHash: bigint): void {
    const state = this.#read(pool);
    this.#pools.set(pool, { ...state, spentNullifiers: [...state.spentNullifiers, nullifierHash] });
  }

  /** Every read rejects with it until null is given. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async withdrawalFacts(
    pool: Felt,
    { root, nullifierHash, batchStart }: WithdrawalPlace,
  ): Promise<WithdrawalFacts> {
    const { maxFee, nextIndex, undeployedCount, knownRoots, spentNullifiers, leaves } =
      this.#read(pool);
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
    return this.#read(pool).spentNullifiers.includes(nullifierHash);
  }

  #read(pool: Felt): InMemoryPool {
    if (this.#failure !== null) throw this.#failure;
    const state = this.#pools.get(pool);
    if (state === undefined) throw new FakeUpstreamDown('no pool at this address');
    return state;
  }
}
