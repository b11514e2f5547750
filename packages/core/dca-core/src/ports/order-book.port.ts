import type { Felt } from '@sotto/kernel';
import type { BlockRef } from '@sotto/submission-core';

/** Progress of reading a contract's events. */
export interface OrderProgress {
  /** First block that may have unread events: those of earlier blocks are stored. */
  readonly nextBlock: number;
  /** Block at safe depth of the chain that the events were read from, at least `nextBlock` − 1. */
  readonly safe: BlockRef;
}

/**
 * Stores which orders of a purchase contract are open. Shared by all instances. If it is lost, it
 * is read again from the chain. Rejects with `LedgerUnavailable` if the store is unavailable.
 */
export abstract class OrderBook {
  /** Returns null before the first read, and after {@link forget}. */
  abstract progress(contract: Felt): Promise<OrderProgress | null>;
  /**
   * Adds orders and stores the progress in one step. An order that is already stored remains
   * unchanged, even if it has ended.
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
  /** Marks these orders as permanently ended: they are never open again. */
  abstract end(contract: Felt, orderIds: readonly bigint[]): Promise<void>;
  /** Deletes all data of the contract, because the chain that it came from was rolled back. */
  abstract forget(contract: Felt): Promise<void>;
}
