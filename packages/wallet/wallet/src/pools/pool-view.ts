import type { MerklePath } from './merkle-tree.js';

/** Leaves that were deployed together. */
export interface Batch {
  readonly start: number;
  readonly size: number;
}

/** A note's place in a pool. */
export interface Place {
  readonly leafIndex: number;
  /** Undefined while the deposit waits for its batch. */
  readonly batch: Batch | undefined;
}

/** What a withdrawal needs to know of a pool; `ShieldedPool` knows it from public events. */
export interface PoolView {
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex. */
  readonly address: string;
  /** Leaves of a swap pool have a token and an amount of their own. */
  readonly kind: 'shielded' | 'swap';
  /**
   * Reads what has happened since; what was known stays where that fails.
   * @throws WalletError NODE_UNREACHABLE, NODE_REFUSED, NODE_MALFORMED_ANSWER, EVENTS_INCOMPLETE
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** @returns undefined where the commitment is no leaf of what was read */
  placeOf(commitment: bigint): Place | undefined;
  path(leafIndex: number): MerklePath;
  /**
   * The transaction that spent a note, in blocks that are accepted on L2, matched at home: the node
   * is asked for whole ranges of events, never for one note.
   */
  spentBy(nullifierHash: bigint): string | undefined;
  /**
   * Whom that transaction paid, where the pool's events say so: then a withdrawal knows without any
   * relayer whether it was its own.
   */
  recipientOf?(nullifierHash: bigint): bigint | undefined;
}
