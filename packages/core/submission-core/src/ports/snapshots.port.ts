import type { BlockRef } from '../domain/rows.js';

/** A block at ACCEPTED_ON_L2 that all reads of one plan name by its hash. */
export interface Snapshot extends BlockRef {
  /** The block's own time, in Unix seconds. */
  readonly timestamp: number;
}

/** What a plan is made from: the same state for all of its reads, whichever node answers them. */
export abstract class Snapshots {
  /**
   * The latest block, on a chain that holds the block `after` where one is named. Rejects with
   * `NodeBehind` when the node has not come so far, or has another block at that height; with
   * another `DomainError` when it can't answer.
   */
  abstract latest(after: BlockRef | null): Promise<Snapshot>;
}
