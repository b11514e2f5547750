import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { LatestBlock } from '@sotto/submission-core';
import type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';
import type { PoolReader } from '../ports/pool-reader.port.js';

/** A node that lags answers for an older block: what it says of a new leaf is soon read again. */
const FRESH_MS = 5_000;

/**
 * Leaves of swap pools, read once per block and leaf. A leaf index that no swap has filled costs no
 * read: the pool's own figures, read once per block, exclude it.
 */
export class KnownLeaves {
  readonly #figures: Cached<SwapPoolFigures>;
  readonly #leaves: Cached<SwapLeaf | null>;

  constructor(
    private readonly reader: Pick<PoolReader, 'leaf' | 'figures'>,
    private readonly latestBlock: Pick<LatestBlock, 'number'>,
    clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.#figures = new Cached({ clock, freshMs: FRESH_MS });
    this.#leaves = new Cached({ clock, freshMs: FRESH_MS });
  }

  /** Null for a leaf that no swap has filled. Rejects with the error of a read. */
  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const block = await this.latestBlock.number();
    const readFigures = async (): Promise<SwapPoolFigures> => this.reader.figures(swapPool);
    const { nextIndex } = await this.#figures.get(swapPool, readFigures, block);
    if (leafIndex >= nextIndex) return null;
    const readLeaf = async (): Promise<SwapLeaf | null> => this.reader.leaf(swapPool, leafIndex);
    return this.#leaves.get(`${swapPool} ${leafIndex}`, readLeaf, block);
  }
}
