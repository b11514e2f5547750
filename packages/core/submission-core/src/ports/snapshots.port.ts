import type { BlockRef } from '../domain/rows.js';

/** Block at ACCEPTED_ON_L2 at which all reads of one plan are made, by its hash. */
export interface Snapshot extends BlockRef {
  /** Timestamp of the block, in Unix seconds. */
  readonly timestamp: number;
}

/**
 * Source of the state from which a plan is computed. Every read of one plan sees the same state, on
 * any node.
 */
export abstract class Snapshots {
  /**
   * Returns the latest block. If `after` is set, the chain of this block contains the block
   * `after`. Rejects with `NodeBehind` if the node has not reached the height of `after` or has
   * another block there. Rejects with another `DomainError` if the node can't answer.
   */
  abstract latest(after: BlockRef | null): Promise<Snapshot>;
}
