import type { Felt } from '@sotto/kernel';
import type { Attempt, ExecutionStatus } from './rows.js';

/** What may be told about an attempt now. */
export type SubmissionAnswer =
  | {
      readonly kind: 'executed';
      readonly attempt: Attempt;
      readonly transactionHash: Felt;
      readonly execution: ExecutionStatus;
      readonly revertReason: string | null;
      /** PRE_CONFIRMED may still be undone; ACCEPTED_ON_L2 is what the ledger says. */
      readonly finality: 'PRE_CONFIRMED' | 'ACCEPTED_ON_L2';
    }
  /** UNKNOWN: it may be on chain, or come, or not. `transactionHash` is the newest one signed for it, null before there is one. */
  | { readonly kind: 'undecided'; readonly attempt: Attempt; readonly transactionHash: Felt | null }
  /** Nothing of it is or can be on chain. */
  | { readonly kind: 'ended'; readonly attempt: Attempt; readonly state: 'refused' | 'expired'; readonly code: string };
