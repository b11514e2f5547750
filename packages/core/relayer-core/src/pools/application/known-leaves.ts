import { Cached, type Clock, type Felt } from '@sotto/kernel';
import type { LatestBlock } from '@sotto/submission-core';
import type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';
import type { PoolReader } from '../ports/pool-reader.port.js';

/**
 * Maximum age of a cached leaf or of the swap pool's cached state, in milliseconds. A lagging node
 * returns values of an older block, so values about new leaves must be reread soon.
 */
const FRESH_MS = 5_000;

/**
 * Reads leaves of swap pools, once per block and leaf. If an index is beyond the last filled leaf,
 * the leaf is not read: the pool's state, which is read once per block, shows that the leaf is not
 * filled.
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

  /**
   * Returns a leaf; null if no swap has filled the leaf. Rejects with the error of a failed read.
   */
  async leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null> {
    const block = await this.latestBlock.number();
    const readFigures = async (): Promise<SwapPoolFigures> => this.reader.figures(swapPool);
    const { nextIndex } = await this.#figures.get(swapPool, readFigures, block);
    if (leafIndex >= nextIndex) return null;
    const readLeaf = async (): Promise<SwapLeaf | null> => this.reader.leaf(swapPool, leafIndex);
    return this.#leaves.get(`${swapPool} ${leafIndex}`, readLeaf, block);
  }
}
