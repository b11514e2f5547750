import type { NodeReader } from '../node/node-reader.js';
import type { MerklePath } from './merkle-tree.js';

/** Range of leaves that were deployed in one batch. */
export interface Batch {
  readonly start: number;
  readonly size: number;
}

/** Position of a note in a pool: its leaf and its batch. */
export interface Place {
  readonly leafIndex: number;
  /** Undefined while the deposit waits for its batch. */
  readonly batch: Batch | undefined;
}

/** View of a pool that a withdrawal needs. `ShieldedPool` computes this view from public events. */
export interface PoolView {
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Pool address as 0x hex. */
  readonly address: string;
  /** Kind of pool. In a swap pool, each leaf has a separate ERC-20 token and amount. */
  readonly kind: 'shielded' | 'swap';
  /**
   * Node that a deposit reads the account's allowance and nonce from. Without it, a deposit can't
   * verify an approval and reports `isApproved: 'unknown'`.
   */
  readonly node?: NodeReader;
  /**
   * Reads the events since the last call. If the read fails, the known state does not change.
   * @throws WalletError NODE_UNREACHABLE, NODE_REFUSED, NODE_MALFORMED_ANSWER, EVENTS_INCOMPLETE
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** @returns undefined if the commitment is not a leaf of the pool as last read */
  placeOf(commitment: bigint): Place | undefined;
  path(leafIndex: number): MerklePath;
  /**
   * Returns the transaction that spent a note, in blocks accepted on L2. The search is local: the
   * node is queried for ranges of events, never for one note.
   */
  spentBy(nullifierHash: bigint): string | undefined;
  /**
   * Returns the recipient of the transaction that spent a note, if the pool's events contain the
   * recipient. A withdrawal then recognises its own transaction without any relayer.
   */
  recipientOf?(nullifierHash: bigint): bigint | undefined;
}
