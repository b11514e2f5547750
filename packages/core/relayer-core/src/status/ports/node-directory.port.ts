import type { NodeDisagreement } from '@sotto/facts';

/**
 * State of one node. `name` is the node's position or the operator's name for it, never its URL.
 */
export interface NodeStatus {
  readonly name: string;
  /** True if the node responds and is not known to serve a chain other than the configured one. */
  readonly up: boolean;
  /** Score of the node, from 0 (do not use) to 1. */
  readonly score: number;
  /** True if reads use the node at present. New transactions are sent to the same node first. */
  readonly isInUse: boolean;
  /** Newest block that the node has returned; null before the first block. */
  readonly headBlock: number | null;
  /** Milliseconds since the node last returned a newer block; null before the first block. */
  readonly headAgeMs: number | null;
  /**
   * False if the node serves a wrong chain and is therefore not used. Null until the node has
   * responded.
   */
  readonly chainOk: boolean | null;
  /** Code of the node's last failure, which may be long ago; null if the node never failed. */
  readonly lastErrorCode: string | null;
  /** Values in which the node currently differs from the other nodes. */
  readonly disagreements: readonly NodeDisagreement[];
  /**
   * Number of disagreements that began since the start of the process, by the value that differed.
   */
  readonly disagreementsBegun: Readonly<Record<NodeDisagreement, number>>;
}

/** State of the configured nodes, in the configured sequence, as observed by reads and polls. */
export abstract class NodeDirectory {
  abstract status(): readonly NodeStatus[];
}
