import type { Felt } from '@sotto/kernel';
import type { BlockRef } from '@sotto/submission-core';

/** Progress of reading a contract's events. */
export interface OrderProgress {
  /**
   * Number of the first block that may have unread events. The events of all blocks below it are
   * stored.
   */
  readonly nextBlock: number;
  /**
   * Block at safe depth, on the chain from which the events were read. The block's number is at
   * least `nextBlock` − 1.
   */
  readonly safe: BlockRef;
}

/**
 * Stores which orders of a purchase contract are open. All instances share the data. If the data is
 * lost, it is read again from the chain. Methods reject with `LedgerUnavailable` if the store is
 * unavailable.
 */
export abstract class OrderStore {
  /** Returns the stored progress; null before the first read, and after {@link forget}. */
  abstract progress(contract: Felt): Promise<OrderProgress | null>;
  /**
   * Adds orders and stores the progress in one step. An order that is already stored does not
   * change, even if it has ended.
   */
  abstract advance(
    contract: Felt,
    progress: OrderProgress,
    opened: readonly bigint[],
  ): Promise<void>;
  /**
   * Returns at most `limit` orders that have not ended, with ids above `after`, in ascending order.
   */
  abstract open(contract: Felt, after: bigint | null, limit: number): Promise<readonly bigint[]>;
  /** Marks these orders as permanently ended, so they are never open again. */
  abstract end(contract: Felt, orderIds: readonly bigint[]): Promise<void>;
  /**
   * Deletes all data of the contract, because a reorg removed the blocks from which the data was
   * read.
   */
  abstract forget(contract: Felt): Promise<void>;
}
