import type { Felts } from '@sotto/kernel';
import type { BlockRef, Snapshot } from '@sotto/submission-core';

export interface OpenedOrder {
  /** A u64. */
  readonly orderId: bigint;
  /** The block with its event. */
  readonly blockNumber: number;
}

export interface OpenedOrders {
  /** In the order of their events. */
  readonly opened: readonly OpenedOrder[];
  /** The last block whose events are all among them; at least `fromBlock`. */
  readonly throughBlock: number;
}

/**
 * Reads one purchase contract, which the adapter is made for, at ACCEPTED_ON_L2. Rejects with
 * `NodeBehind` when the node does not have the block that a read names, with another `DomainError`
 * when it can't answer or answers what no contract of this layout can.
 */
export abstract class PurchaseOrders {
  /**
   * Orders opened from `fromBlock` (at most the snapshot's block) up to the snapshot, which is
   * named by its hash. Bounded: of many events it reads some pages, whole blocks, and says how far
   * it came.
   */
  abstract opened(fromBlock: number, to: Snapshot): Promise<OpenedOrders>;
  /**
   * What the contract's view answers for each of the orders at the block, in one batched round trip
   * and in the order asked for; null where the contract reverts. The core bounds how many it asks
   * for.
   */
  abstract read(orderIds: readonly bigint[], at: BlockRef): Promise<readonly (Felts | null)[]>;
  /** What the contract's view of the Mayer Multiple answers at the block: 1.0 is the scale. */
  abstract mayerMultiple(at: BlockRef): Promise<bigint>;
  /** The accepted block at this height; null where the node has none. */
  abstract blockAt(number: number): Promise<BlockRef | null>;
}
