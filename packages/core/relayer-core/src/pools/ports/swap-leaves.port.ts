import type { Felt } from '@sotto/kernel';
import type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';

export type { SwapLeaf, SwapPoolFigures } from '../domain/swap-leaf.js';

/**
 * Reads of a swap pool, each in one batched round trip. Rejects with a `DomainError` when the node
 * can't answer or answers what no swap pool can.
 */
export abstract class SwapLeaves {
  /** Null for a leaf that no swap has filled. */
  abstract leaf(swapPool: Felt, leafIndex: number): Promise<SwapLeaf | null>;
  abstract figures(swapPool: Felt): Promise<SwapPoolFigures>;
}
