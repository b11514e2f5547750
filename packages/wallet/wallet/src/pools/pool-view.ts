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
  /** Batch of the leaf; undefined while the deposit waits for its batch. */
  readonly batch: Batch | undefined;
  /**
   * Time of the deposit's block according to the pool's events, as Unix time in ms. Undefined if
   * the events contain no time.
   */
  readonly depositedAtMs: number | undefined;
  /** Hash (0x hex) of the deposit's transaction, if the view knows it. */
  readonly transactionHash?: string;
}

/** Payment of a withdrawal, in the smallest unit of its ERC-20 token. */
export interface Payment {
  /** Amount that the recipient received. */
  readonly amount: bigint;
  readonly fee: bigint;
}

/** View of a pool that a withdrawal needs. `ShieldedPool` computes this view from public events. */
export interface PoolView {
  /** Chain id as 0x hex. */
  readonly chainId: string;
  /** Pool address as 0x hex. */
  readonly address: string;
  /** Kind of pool. In a swap pool, each leaf has its own ERC-20 token and amount. */
  readonly kind: 'shielded' | 'swap';
  /** Time of the last block read, as Unix time in ms; undefined before the first read. */
  readonly blockTimeMs: number | undefined;
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
   * Returns the transaction that spent a note, in blocks accepted on L2. The search is local,
   * because requests to the node contain only ranges of events and never a note.
   */
  spentBy(nullifierHash: bigint): string | undefined;
  /**
   * Returns the recipient of the transaction that spent a note, if the pool's events contain the
   * recipient. With it, a withdrawal recognises its own transaction without the help of a relayer.
   */
  recipientOf?(nullifierHash: bigint): bigint | undefined;
  /** Returns amount and fee of the withdrawal of a note, if the pool's events contain them. */
  paymentOf?(nullifierHash: bigint): Payment | undefined;
}
