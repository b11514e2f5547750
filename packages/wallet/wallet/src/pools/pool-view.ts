import type { MerklePath } from './merkle-tree.js';

/** Range of leaves that were deployed together. */
export interface Batch {
  readonly start: number;
  readonly size: number;
}

/** Position of a note in a pool. */
export interface Place {
  readonly leafIndex: number;
  /** Undefined while the deposit waits for its batch. */
  readonly batch: Batch | undefined;
}

/** Pool as a withdrawal needs it. `ShieldedPool` implements it from public events. */
export interface PoolView {
  /** 0x hex. */
  readonly chainId: string;
  /** 0x hex. */
  readonly address: string;
  /** Each leaf of a swap pool has a separate token and amount. */
  readonly kind: 'shielded' | 'swap';
  /**
   * Reads the events since the last call. The known state is kept if that fails.
   * @throws WalletError NODE_UNREACHABLE, NODE_REFUSED, NODE_MALFORMED_ANSWER, EVENTS_INCOMPLETE
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** @returns undefined if the commitment is not a leaf of the pool as last read */
  placeOf(commitment: bigint): Place | undefined;
  path(leafIndex: number): MerklePath;
  /**
   * Returns the transaction that spent a note, in blocks accepted on L2. The match is local: the
   * node is queried for ranges of events, never for one note.
   */
  spentBy(nullifierHash: bigint): string | undefined;
  /**
   * Returns the recipient of that transaction, if the pool's events contain it. A withdrawal then
   * recognises its own transaction without any relayer.
   */
  recipientOf?(nullifierHash: bigint): bigint | undefined;
}
