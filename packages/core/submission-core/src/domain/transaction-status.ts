import type { BlockRef, ExecutionStatus } from './rows.js';

/** Status of a transaction hash as reported by a node. */
export type TransactionStatus =
  /**
   * Error 29 (hash not found). Proves neither that the transaction was lost nor that it cannot
   * land.
   */
  | { readonly kind: 'unknown' }
  /** The node could not report on this one. Proves nothing, and delays no other. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'pre_confirmed';
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
    }
  /** Receipt at ACCEPTED_ON_L2 or ACCEPTED_ON_L1. Counts as evidence. */
  | {
      readonly kind: 'accepted';
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
      readonly feeFri: bigint;
      readonly block: BlockRef;
    };
