import type { Felt, Felts } from '@sotto/kernel';
import type { ResourceLimits, ResourceBounds } from './resource-bounds.js';
import type { AttemptRef, CallTarget, ExecutionStatus, LaneRole, SeenExecution, Terms } from './rows.js';

/** A submission that wants to be accepted. */
export interface NewSubmission {
  readonly key: string;
  readonly id: string;
  readonly fingerprint: string;
  readonly role: LaneRole;
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly limits: ResourceLimits;
  readonly terms: Terms | null;
  readonly deadlineMs: number;
}

/** A transaction as it will be stored and sent: the bytes are exactly what goes on the wire. */
export interface SignedTransaction {
  readonly hash: Felt;
  readonly bounds: ResourceBounds;
  readonly bytes: Uint8Array;
}

/** The lane's rows that an event touches, and the fence under which the writer believes to hold it. */
export interface LaneClaim {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly fence: bigint;
}

/** What a conclusive refusal was about: it decides where the attempt goes. */
export type RefusalCause = 'price' | 'funds' | 'call';

/** The transaction that took a nonce, as ACCEPTED_ON_L2 shows it. Whose it is, is decided on the rows of the write. */
export interface NonceTaker {
  readonly hash: Felt;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
}

/** Everything that can change the ledger. Letters are the rows of the transition table. */
export type SubmissionEvent =
  /** A1–A3 */
  | { readonly type: 'request'; readonly submission: NewSubmission; readonly atMs: number }
  /** P, and with `claim` P' */
  | (LaneClaim & {
      readonly type: 'prepare';
      readonly attempt: AttemptRef;
      readonly transaction: SignedTransaction;
      readonly claim: boolean;
      readonly atMs: number;
    })
  /** C */
  | (LaneClaim & { readonly type: 'claim'; readonly hash: Felt; readonly atMs: number })
  /** K2, K3 */
  | (LaneClaim & {
      readonly type: 'refusal';
      readonly hash: Felt;
      readonly code: string;
      readonly cause: RefusalCause;
      readonly atMs: number;
    })
  /** L */
  | (LaneClaim & { readonly type: 'release'; readonly to: 'accepted' | 'expired'; readonly atMs: number })
  /** R */
  | (LaneClaim & { readonly type: 'replace'; readonly transaction: SignedTransaction; readonly ceilingL2PriceFri: bigint })
  /** N */
  | (LaneClaim & { readonly type: 'cancel'; readonly transaction: SignedTransaction; readonly ceilingL2PriceFri: bigint })
  /** H */
  | (LaneClaim & { readonly type: 'fill'; readonly transaction: SignedTransaction })
  /** S1, S2; `loser` says where an attempt goes whose nonce somebody else took */
  | (LaneClaim & {
      readonly type: 'settle';
      readonly taker: NonceTaker;
      readonly loser: { readonly to: 'accepted' } | { readonly to: 'refused' | 'expired'; readonly code: string };
      readonly atMs: number;
    })
  /** Rows for nonces that the chain has passed without us: open, to be settled like any other. */
  | (LaneClaim & { readonly type: 'catch_up' })
  /** X */
  | {
      readonly type: 'end_waiting';
      readonly attempt: AttemptRef;
      readonly to: 'refused' | 'expired';
      readonly code: string;
      readonly atMs: number;
    }
  /** O */
  | {
      readonly type: 'observe';
      readonly lane: Felt;
      readonly nonce: bigint;
      readonly hash: Felt;
      readonly seen: SeenExecution | null;
    };

export type SubmissionEventType = SubmissionEvent['type'];
