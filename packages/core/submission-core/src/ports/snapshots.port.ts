import type { BlockRef } from '../domain/rows.js';

/** Block at ACCEPTED_ON_L2 that all reads of one plan name by its hash. */
export interface Snapshot extends BlockRef {
  /** Timestamp of the block, in Unix seconds. */
  readonly timestamp: number;
}

/** Source of the state for a plan: the same state for all of its reads, from any node. */
export abstract class Snapshots {
  /**
   * Returns the latest block, on a chain that contains the block `after` if it is set. Rejects with
   * `NodeBehind` if the node has not reached that height or has another block there, and with
   * another `DomainError` if it can't answer.
   */
  abstract latest(after: BlockRef | null): Promise<Snapshot>;
}
