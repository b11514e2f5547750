import type { DomainError, Felt } from '@sotto/kernel';
import type { DepositFacts } from '../../pools/domain/deposit-traffic.js';
import type { SwapLeaf, SwapPoolFigures } from '../../pools/domain/swap-leaf.js';
import type { PoolStatus } from '../../pools/domain/pool.js';
import type {
  DepositQuestion,
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
  /** Leaves of the pool if it is a swap pool. @default none */
  readonly leaves?: readonly SwapLeaf[];
}

/** Status of a pool, except for the block number and the timestamp. */
export type PoolFigures = Omit<PoolStatus, 'blockNumber' | 'timestamp'>;

/** State of pool and depositor on which a deposit depends. */
export interface InMemoryDepositPool {
  readonly denomination: bigint;
  readonly nextIndex: number;
  readonly lastRoot: bigint;
  readonly commitments: readonly bigint[];
}

export interface InMemoryDepositor {
  readonly classHash: Felt;
  readonly balance: bigint;
  /** Amount that the depositor allows every pool to transfer. */
  readonly allowance: bigint;
}

interface InMemorySwapPool {
  readonly maxFeeBps: number;
  readonly leaves: readonly Omit<SwapLeaf, 'maxFee'>[];
}

const BPS = 10_000n;

/**
 * Pools, swap pools and depositors whose state a test sets. The balance of a depositor is the same
 * in every token.
 */
export class InMemoryPools implements PoolReader {
  readonly #pools = new Map<Felt, InMemoryPool>();
  readonly #statuses = new Map<Felt, PoolFigures>();
  readonly #preConfirmed = new Map<Felt, number>();
  readonly #depositPools = new Map<Felt, InMemoryDepositPool>();
  readonly #depositors = new Map<Felt, InMemoryDepositor>();
  readonly #swapPools = new Map<Felt, InMemorySwapPool>();
  readonly #commitments = new Set<string>();
  #reads = 0;
  #failure: DomainError | null = null;

  /** @param latestBlock block whose number and timestamp all statuses have */
  constructor(private readonly latestBlock = new FakeLatestBlock()) {}

  /** Number of reads of statuses and deposit facts so far. */
  get reads(): number {
    return this.#reads;
  }

  set(pool: Felt, state: InMemoryPool): void {
    this.#pools.set(pool, state);
  }

  setStatus(pool: Felt, status: PoolFigures): void {
    this.#statuses.set(pool, status);
  }

  /** Sets how many more deposits wait in the pre-confirmed block than in the accepted block. */
  preConfirm(pool: Felt, deposits: number): void {
    this.#preConfirmed.set(pool, deposits);
  }

  /** Marks the nullifier's note as withdrawn. */
  spend(pool: Felt, nullifierHash: bigint): void {
    const state = this.#stateOf(pool, this.#pools);
    this.#pools.set(pool, { ...state, spentNullifiers: [...state.spentNullifiers, nullifierHash] });
  }

  setDepositPool(pool: Felt, state: InMemoryDepositPool): void {
    this.#depositPools.set(pool, state);
  }

  setDepositor(depositor: Felt, state: InMemoryDepositor): void {
    this.#depositors.set(depositor, state);
  }

  /** Adds a swap pool without notes. */
  setSwapPool(swapPool: Felt, maxFeeBps = 500): void {
    this.#swapPools.set(swapPool, { maxFeeBps, leaves: [] });
  }

  /** Adds the note of a swap. @returns leaf index of the note */
  fill(swapPool: Felt, token: Felt, amount: bigint): number {
    const { maxFeeBps, leaves } = this.#stateOf(swapPool, this.#swapPools);
    this.#swapPools.set(swapPool, { maxFeeBps, leaves: [...leaves, { token, amount }] });
    return leaves.length;
  }

  /** Adds a leaf with the commitment to the swap pool's tree. */
  commit(swapPool: Felt, commitment: bigint): void {
    this.#commitments.add(`${swapPool}|${commitment}`);
  }

  /** Makes every read of a pool reject with this error. Null makes later reads succeed again. */
  failReads(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async poolStatus(pool: Felt): Promise<PoolStatus> {
    this.#reads += 1;
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

  async depositFacts({
    pool,
    commitment,
    depositor,
    pending = [],
  }: DepositQuestion): Promise<DepositFacts> {
    this.#reads += 1;
    const { commitments, ...facts } = this.#stateOf(pool, this.#depositPools);
    const {
      classHash = null,
      balance = 0n,
      allowance = 0n,
    } = this.#depositors.get(depositor) ?? {};
    return {
      ...facts,
      commitmentKnown: commitments.includes(commitment),
      depositorClass: classHash,
      balance,
      allowance,
      includedIds: pending
        .filter((deposit) =>
          this.#stateOf(deposit.pool, this.#depositPools).commitments.includes(deposit.commitment),
        )
        .map(({ id }) => id),
    };
  }

  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const { maxFeeBps, leaves } = this.#stateOf(swapPool, this.#swapPools);
    const leaf = leaves[leafIndex];
    return leaf === undefined ? null : { ...leaf, maxFee: (leaf.amount * BigInt(maxFeeBps)) / BPS };
  }

  async figures(swapPool: Felt): Promise<SwapPoolFigures> {
    const { maxFeeBps, leaves } = this.#stateOf(swapPool, this.#swapPools);
    const { length } = leaves;
    return {
      blockNumber: 1,
      timestamp: 1_700_000_000,
      activeDeposits: length,
      totalSwaps: length,
      nextIndex: length,
      maxFeeBps,
    };
  }

  async hasCommitment(swapPool: Felt, commitment: bigint): Promise<boolean> {
    if (this.#failure !== null) throw this.#failure;
    return this.#commitments.has(`${swapPool}|${commitment}`);
  }

  #stateOf<State>(pool: Felt, states: ReadonlyMap<Felt, State>): State {
    if (this.#failure !== null) throw this.#failure;
    const state = states.get(pool);
    if (state === undefined) throw new FakeUpstreamDown('no pool at this address');
    return state;
  }
}
