import type { Felt, Felts } from '@sotto/kernel';
import type { ChainEvidence } from './chain-evidence.js';
import type { ResourceBounds, ResourceLimits } from './resource-bounds.js';
import type {
  AttemptRef,
  BlockRef,
  CallPurpose,
  CallTarget,
  ExecutionStatus,
  LaneRole,
  SeenExecution,
  Terms,
} from './rows.js';

/** Submission that a caller wants to be accepted. */
export interface NewSubmission extends CallPurpose {
  readonly key: string;
  readonly id: string;
  /** See `Attempt.effect`. */
  readonly effect: string;
  readonly fingerprint: string;
  readonly role: LaneRole;
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly limits: ResourceLimits;
  readonly terms: Terms | null;
  /** See `Attempt.replayProtected`. */
  readonly replayProtected: boolean;
  /** Time after acceptance in which the submission may be sent, in ms. */
  readonly deadlineAfterMs: number;
  /** See `Attempt.deadlineBlock`. @default null */
  readonly deadlineBlock?: number | null;
}

/** Newer call that replaces the call of a waiting attempt. */
export type NewerCall = Pick<
  NewSubmission,
  'effect' | 'fingerprint' | 'calldata' | 'deadlineBlock'
>;

/** Signed transaction with the exact bytes that are sent. */
export interface SignedTransaction {
  readonly hash: Felt;
  readonly bounds: ResourceBounds;
  readonly bytes: Uint8Array;
  /**
   * Position of the call's calldata in the bytes. `start` is the position of its first byte, `end`
   * the position after its last byte. The calldata is stored with the attempt, and is inserted
   * again when the transaction is sent again. Null for a transaction without a call.
   */
  readonly calldataAt: { readonly start: number; readonly end: number } | null;
}

export interface LaneSlot {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly fence: bigint;
}

/** Version of the nonce's row when the command was created; 0 if the nonce had no row. */
interface Versioned {
  readonly version: number;
}

/** Evidence on which a command's conclusion is based: reads of one node between two heads. */
interface Proven {
  readonly evidence: ChainEvidence;
}

/**
 * Cause of a conclusive refusal, which decides how the attempt continues. `lane`: the account check
 * failed, so the account is the cause. `account`: the account's code rejected the transaction
 * although the account check passes.
 */
export type RejectionCause = 'price' | 'funds' | 'call' | 'lane' | 'account';

/**
 * Transaction that consumed a nonce, as read at ACCEPTED_ON_L2. The attempt that it belongs to is
 * determined from the rows when the command is written.
 */
export interface NonceConsumer {
  readonly hash: Felt;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
  readonly block: BlockRef;
}

/**
 * Transaction of one of our accounts at ACCEPTED_ON_L2 without a row in the ledger, with the
 * submission that its call belongs to.
 */
export interface AdoptedCall {
  readonly submission: Omit<NewSubmission, 'deadlineAfterMs'>;
  readonly consumer: NonceConsumer;
}

/**
 * Command that can change the ledger. The letters refer to rows of the transition table. All times
 * come from the store's clock, never from the clock of the process that writes.
 */
export type SubmissionCommand =
  /** A1–A3 */
  | { readonly type: 'request'; readonly submission: NewSubmission }
  /** A4: another call of the same effect, for an attempt of which no transaction was signed. */
  | ({ readonly type: 'renew'; readonly attempt: AttemptRef } & NewerCall)
  /**
   * St: bytes under a nonce, with their first send claimed. `attempt` owns the call that they
   * carry; null for a no-op. The row decides its effect: it assigns the nonce, replaces, cancels,
   * or fills.
   */
  | (LaneSlot &
      Versioned & {
        readonly type: 'store';
        readonly attempt: AttemptRef | null;
        /** Fingerprint of the signed call; null for a no-op. */
        readonly fingerprint: string | null;
        readonly transaction: SignedTransaction;
        /** Node that the first send goes to. A send to another node needs a separate claim. */
        readonly node: string;
        readonly ceilingL2PriceFri: bigint;
        /** Lowest nonce that may not be assigned yet: the account's nonce plus the nonce window. */
        readonly nonceLimit: bigint;
      })
  /**
   * C: claims a send to the node of an earlier claim or to another one. Both count as more than one
   * send.
   */
  | (LaneSlot & { readonly type: 'claim'; readonly hash: Felt; readonly node: string })
  /** K2, K3. Names no version: the row of the write contains all that the refusal depends on. */
  | (LaneSlot & {
      readonly type: 'refusal';
      readonly hash: Felt;
      readonly code: string;
      readonly cause: RejectionCause;
    })
  /** S: settles a nonce. */
  | (LaneSlot & Versioned & Proven & { readonly type: 'settle'; readonly consumer: NonceConsumer })
  /** F: the block is at ACCEPTED_ON_L1, or older than the horizon. */
  | (LaneSlot &
      Proven & {
        readonly type: 'finalize';
        readonly block: BlockRef;
        readonly horizonMs: number;
      })
  /** U: names the block that settled the row. */
  | (LaneSlot &
      Proven & {
        readonly type: 'reopen';
        readonly block: BlockRef;
        /**
         * Block that the evidence contradicts: the block that settled the nonce, or an ancestor of
         * that block.
         */
        readonly undone: BlockRef;
        /**
         * Evidence of an earlier poll that is based on another head than `evidence`. Required if
         * the row is final; null for other rows.
         */
        readonly earlier: ChainEvidence | null;
      })
  /**
   * Row for the lane's next nonce, which the chain has passed without us. It is open and settled
   * like any other. If `through` exceeds `nonce` it is one settled row for the range.
   */
  | (LaneSlot & { readonly type: 'import'; readonly through: bigint })
  /**
   * Introduces a lane at its nonce on chain. `isAccepted`: an operator vouches that no transaction
   * of it is in flight. `hasSentCalls`: another ledger of ours has used it.
   */
  | (LaneFence & {
      readonly type: 'introduce';
      readonly accountNonce: bigint;
      readonly window: bigint;
      readonly isAccepted: boolean;
      readonly hasSentCalls: boolean;
    })
  /**
   * Starts a quarantine: the chain has more of the lane than the ledger, or another lane's ledger
   * is behind. Repeated with `isAged` after the mempool's lifetime.
   */
  | (LaneFence & { readonly type: 'quarantine'; readonly until: bigint; readonly isAged: boolean })
  /**
   * Ends the quarantine of lanes whose nonces in question are all consumed. Lanes that are behind
   * end it together, once outcomes are adopted.
   */
  | { readonly type: 'end_quarantine'; readonly lanes: readonly Felt[] }
  /** Q2: adopts the outcome of a call whose send this ledger does not know. */
  | ({ readonly type: 'adopt'; readonly lane: Felt; readonly nonce: bigint } & AdoptedCall & Proven)
  /**
   * X: ends a waiting attempt. `expired` requires that the store's clock has passed `notBeforeMs`.
   * `onlyUnsigned` requires that no transaction of it was signed. With a `fingerprint`, the attempt
   * must still have this call: the reason may not hold for a newer call.
   */
  | {
      readonly type: 'end_waiting';
      readonly attempt: AttemptRef;
      readonly to: 'refused' | 'expired';
      readonly code: string;
      readonly notBeforeMs: number;
      readonly onlyUnsigned?: true;
      readonly fingerprint?: string;
    }
  /** O: stores a pre-confirmed result. */
  | {
      readonly type: 'observe';
      readonly lane: Felt;
      readonly nonce: bigint;
      readonly hash: Felt;
      readonly seen: SeenExecution | null;
    };

export type LaneFence = Omit<LaneSlot, 'nonce'>;

export type SubmissionCommandType = SubmissionCommand['type'];
