import type { NodeDisagreement } from '@sotto/facts';

/** One node that is read from and sent to, by its place or the operator's name, never its URL. */
export interface NodeStatus {
  readonly name: string;
  /** Answers, as far as is known, and serves our chain. */
  readonly up: boolean;
  /** From 0, not to be used, to 1. */
  readonly score: number;
  /** Reads and first sends go to it now. */
  readonly isInUse: boolean;
  /** Null before it was seen. */
  readonly headBlock: number | null;
  /** How long it has shown no newer block. */
  readonly headAgeMs: number | null;
  /** False: it serves another chain, and is not used. Null before it has said. */
  readonly chainOk: boolean | null;
  /** Of its last failure, which may be long past; null where it never failed. */
  readonly lastErrorCode: string | null;
  /** In what it differs from the others now. */
  readonly disagreements: readonly NodeDisagreement[];
  /** How often it began to differ, since the start. */
  readonly disagreementsBegun: Readonly<Record<NodeDisagreement, number>>;
}

/** The nodes of the settings, in their order, as reads and looks have shown them. */
export abstract class NodeDirectory {
  abstract status(): readonly NodeStatus[];
}
