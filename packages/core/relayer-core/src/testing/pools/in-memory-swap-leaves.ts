import type { DomainError, Felt } from '@sotto/kernel';
import type { SwapLeaf, SwapLeaves, SwapPoolFigures } from '../../pools/ports/swap-leaves.port.js';
import { FakeUpstreamDown } from '@sotto/kernel/testing';

const BPS = 10_000n;

/** One swap pool, as a test fills it. */
export class InMemorySwapLeaves implements SwapLeaves {
  readonly #leaves: Omit<SwapLeaf, 'maxFee'>[] = [];
  #failure: DomainError | null = null;

  constructor(
    private readonly swapPool: Felt,
    private readonly maxFeeBps = 500,
  ) {}

  /** A swap leaves a note. @returns its leaf index */
  fill(token: Felt, amount: bigint): number {
    return this.#leaves.push({ token, amount }) - 1;
  }

  /** Every read rejects with it until null is given. */
  fail(failure: DomainError | null = new FakeUpstreamDown('the node is down')): void {
    this.#failure = failure;
  }

  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    this.#answer(swapPool);
    const leaf = this.#leaves[leafIndex];
    return leaf === undefined
      ? null
      : { ...leaf, maxFee: (leaf.amount * BigInt(this.maxFeeBps)) / BPS };
  }

  async figures(swapPool: Felt): Promise<SwapPoolFigures> {
    this.#answer(swapPool);
    const { length } = this.#leaves;
    return {
      blockNumber: 1,
      timestamp: 1_700_000_000,
      activeDeposits: length,
      totalSwaps: length,
      nextIndex: length,
      maxFeeBps: this.maxFeeBps,
    };
  }

  #answer(swapPool: Felt): void {
    if (this.#failure !== null) throw this.#failure;
    if (swapPool !== this.swapPool) throw new FakeUpstreamDown('no swap pool at this address');
  }
}
