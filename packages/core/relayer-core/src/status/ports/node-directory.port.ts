import type { NodeDisagreement } from '@sotto/facts';

/** State of one node, named by its position or the operator's name, never by its URL. */
export interface NodeStatus {
  readonly name: string;
  /** True if it answers, if known, and serves our chain. */
  readonly up: boolean;
  /** Score from 0 (do not use) to 1. */
  readonly score: number;
  /** True if reads and first sends currently use it. */
  readonly isInUse: boolean;
  /** Newest block that it has shown; null before the first. */
  readonly headBlock: number | null;
  /** Milliseconds without a newer block. */
  readonly headAgeMs: number | null;
  /** False if it serves another chain and so is not used. Null until the node has answered. */
  readonly chainOk: boolean | null;
  /** Code of its last failure, which may be long ago; null if it never failed. */
  readonly lastErrorCode: string | null;
  /** Values in which it differs from the other nodes now. */
  readonly disagreements: readonly NodeDisagreement[];
  /** Number of disagreements that began since the start, by value. */
  readonly disagreementsBegun: Readonly<Record<NodeDisagreement, number>>;
}

/** State of the configured nodes, in their order, as observed by reads and polls. */
export abstract class NodeDirectory {
  abstract status(): readonly NodeStatus[];
}
