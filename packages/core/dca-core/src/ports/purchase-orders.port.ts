import type { Felts } from '@sotto/kernel';
import type { BlockRef, Snapshot } from '@sotto/submission-core';

export interface OpenedOrder {
  /** Id of the order, a u64. */
  readonly orderId: bigint;
  /** Block that contains its event. */
  readonly blockNumber: number;
}

export interface OpenedOrders {
  /** Orders by the position of their events. */
  readonly opened: readonly OpenedOrder[];
  /** Last block whose events are all included; at least `fromBlock`. */
  readonly throughBlock: number;
}

/**
 * Reads the one purchase contract of this adapter, at ACCEPTED_ON_L2. Rejects with `NodeBehind` if
 * the node does not have the named block. Rejects with another `DomainError` if the node is
 * unavailable or its answer does not match the layout.
 */
export abstract class PurchaseOrders {
  /**
   * Returns orders opened from `fromBlock` (at most the snapshot's block) up to the snapshot, which
   * is identified by its hash. A call reads a bounded number of pages, in whole blocks, and returns
   * the last complete block.
   */
  abstract opened(fromBlock: number, to: Snapshot): Promise<OpenedOrders>;
  /**
   * Returns the result of the contract's view for each of the orders at the block, in one batched
   * round trip and in the given order; null if the contract reverts. The core bounds the number of
   * orders.
   */
  abstract read(orderIds: readonly bigint[], at: BlockRef): Promise<readonly (Felts | null)[]>;
  /**
   * Returns the result of the contract's view of the Mayer Multiple at the block: 1.0 is the scale.
   */
  abstract mayerMultiple(at: BlockRef): Promise<bigint>;
  /** Returns the accepted block at this height; null if the node has none. */
  abstract blockAt(number: number): Promise<BlockRef | null>;
}
