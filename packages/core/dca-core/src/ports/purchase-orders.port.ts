import type { Felts } from '@sotto/kernel';
import type { BlockRef, Snapshot } from '@sotto/submission-core';

export interface OpenedOrder {
  /** Id of the order, a u64. */
  readonly orderId: bigint;
  /** Number of the block that contains the order's event. */
  readonly blockNumber: number;
}

export interface OpenedOrders {
  /** Opened purchase orders, in the sequence of their events. */
  readonly opened: readonly OpenedOrder[];
  /** Last block whose events are all included. The number is at least `fromBlock`. */
  readonly throughBlock: number;
}

/**
 * Reads the purchase contract for which this adapter was created, at ACCEPTED_ON_L2. Methods reject
 * with `NodeBehind` if the node does not have the requested block. If the node is unavailable or
 * its response does not match the layout, they reject with a different `DomainError`.
 */
export abstract class PurchaseOrders {
  /**
   * Returns orders that were opened from `fromBlock` up to the snapshot's block. `fromBlock` is at
   * most the snapshot's block, which is identified by its hash. A call reads a limited number of
   * pages, in whole blocks, and returns the last complete block.
   */
  abstract opened(fromBlock: number, to: Snapshot): Promise<OpenedOrders>;
  /**
   * Returns the result of the contract's view for each of the purchase orders at the block, in the
   * sequence of `orderIds`. The reads are one batched round trip. The result of an order is null if
   * the contract reverts. The caller limits the number of orders.
   */
  abstract read(orderIds: readonly bigint[], at: BlockRef): Promise<readonly (Felts | null)[]>;
  /**
   * Returns the result of the contract's Mayer Multiple view at the block. The layout's `scale`
   * represents 1.0.
   */
  abstract mayerMultiple(at: BlockRef): Promise<bigint>;
  /** Returns the accepted block at this height; null if the node has no block there. */
  abstract blockAt(number: number): Promise<BlockRef | null>;
}
