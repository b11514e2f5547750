import type { BlockRef, ExecutionStatus } from './rows.js';

/** What a node says of one transaction hash. */
export type TransactionStatus =
  /** 29: says nothing, neither that it was lost nor that it will not come. */
  | { readonly kind: 'unknown' }
  /** The node could not report on this one. Proves nothing, and delays no other. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'pre_confirmed';
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
    }
  /** The receipt at ACCEPTED_ON_L2 or ACCEPTED_ON_L1: evidence. */
  | {
      readonly kind: 'accepted';
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
      readonly feeFri: bigint;
      readonly block: BlockRef;
    };
