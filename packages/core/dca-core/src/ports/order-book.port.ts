import type { Felt } from '@sotto/kernel';
import type { BlockRef } from '@sotto/submission-core';

/** How far the events of a contract were read. */
export interface OrderProgress {
  /** All events of earlier blocks are in the book. */
  readonly nextBlock: number;
  /** A block at safe depth of the chain that they were read from, not before `nextBlock` − 1. */
  readonly safe: BlockRef;
}

/**
 * Which orders of a purchase contract are open. Shared by all instances; it can be lost and is read
 * again from the chain then. Rejects with `LedgerUnavailable` when the store can't answer.
 */
export abstract class OrderBook {
  /** Null before the first read, and after {@link forget}. */
  abstract progress(contract: Felt): Promise<OrderProgress | null>;
  /**
   * Adds orders and notes the progress in one step. An order that is in the book stays as it is,
   * ended ones too.
   */
  abstract advance(
    contract: Felt,
    progress: OrderProgress,
    opened: readonly bigint[],
  ): Promise<void>;
  /** Orders that have not ended, by ascending id, of ids above `after`, at most `limit`. */
  abstract open(contract: Felt, after: bigint | null, limit: number): Promise<readonly bigint[]>;
  /** These have ended for good: they are never open again. */
  abstract end(contract: Felt, orderIds: readonly bigint[]): Promise<void>;
  /** Everything about the contract: the chain that it was read from is not the chain any more. */
  abstract forget(contract: Felt): Promise<void>;
}
