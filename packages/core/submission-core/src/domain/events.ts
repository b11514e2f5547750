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

/** A submission that wants to be accepted. */
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
  /** How long after its acceptance it may be sent. */
  readonly deadlineAfterMs: number;
}

/** What a waiting attempt is to carry from now on. */
export type NewerCall = Pick<NewSubmission, 'effect' | 'fingerprint' | 'calldata'>;

/** A transaction as it is sent: the bytes are exactly what goes on the wire. */
export interface SignedTransaction {
  readonly hash: Felt;
  readonly bounds: ResourceBounds;
  readonly bytes: Uint8Array;
  /**
   * Where in them the call's own calldata stands, from its first byte to before `end`: it is stored
   * with its attempt, and put in again for a further send. Null where there is no call.
   */
  readonly calldataAt: { readonly start: number; readonly end: number } | null;
}

/**
 * The lane's rows that an event touches, and the fence under which the writer believes to hold it.
 */
export interface LaneSlot {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly fence: bigint;
}

/** The version of the nonce's row that a command was decided on; 0 for an absent row. */
interface Versioned {
  readonly version: number;
}

/** What a command concludes from the chain rests on reads of one node between two heads. */
interface Proven {
  readonly evidence: ChainEvidence;
}

/**
 * What a conclusive refusal was about: it decides where the attempt goes.
 * `lane`: the account is at fault, as its own check shows; `account`: the account's code refused,
 * though that check passes.
 */
export type RefusalCause = 'price' | 'funds' | 'call' | 'lane' | 'account';

/**
 * The transaction that consumed a nonce, as ACCEPTED_ON_L2 shows it. Whose it is, is decided on the
 * rows of the write.
 */
export interface NonceConsumer {
  readonly hash: Felt;
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
  readonly feeFri: bigint;
  readonly block: BlockRef;
}

/**
 * A transaction of one of our accounts that no row names, at ACCEPTED_ON_L2, with the submission
 * that its call belongs to.
 */
export interface AdoptedCall {
  readonly submission: Omit<NewSubmission, 'deadlineAfterMs'>;
  readonly consumer: NonceConsumer;
}

/**
 * Everything that can change the ledger. Letters are the rows of the transition table. Times are
 * the store's, never the writer's.
 */
export type SubmissionCommand =
  /** A1–A3 */
  | { readonly type: 'request'; readonly submission: NewSubmission }
  /** A4: another call of the same effect, for an attempt of which nothing was ever signed. */
  | ({ readonly type: 'renew'; readonly attempt: AttemptRef } & NewerCall)
  /**
   * St: bytes under a nonce, with their first send claimed. `attempt` is whose call they carry,
   * null for a no-op. What it does follows from the row: gives the nonce away, replaces, cancels,
   * or fills.
   */
  | (LaneSlot &
      Versioned & {
        readonly type: 'store';
        readonly attempt: AttemptRef | null;
        /** Of the call that was signed; null for a no-op. */
        readonly fingerprint: string | null;
        readonly transaction: SignedTransaction;
        /** Where its first send goes to, and nowhere else: a further one is a claim of its own. */
        readonly node: string;
        readonly ceilingL2PriceFri: bigint;
        /** First nonce that may not be given away yet: the account's nonce and the window. */
        readonly nonceLimit: bigint;
      })
  /** C; to the node of an earlier claim or to another: more than one send either way. */
  | (LaneSlot & { readonly type: 'claim'; readonly hash: Felt; readonly node: string })
  /** K2, K3. Names no version: what it proves stands in the row of the write. */
  | (LaneSlot & {
      readonly type: 'refusal';
      readonly hash: Felt;
      readonly code: string;
      readonly cause: RefusalCause;
    })
  /** S */
  | (LaneSlot & Versioned & Proven & { readonly type: 'settle'; readonly consumer: NonceConsumer })
  /** F: the block is at ACCEPTED_ON_L1, else its age must exceed the horizon. */
  | (LaneSlot &
      Proven & {
        readonly type: 'finalize';
        readonly block: BlockRef;
        readonly horizonMs: number;
      })
  /** U; names the block that the row was settled by. */
  | (LaneSlot &
      Proven & {
        readonly type: 'reopen';
        readonly block: BlockRef;
        /** Contradicted by the evidence: the block itself, or one that it stood on. */
        readonly undone: BlockRef;
        /** What another head's poll has shown before, for a row that is final; null for others. */
        readonly earlier: ChainEvidence | null;
      })
  /**
   * A row for the lane's next nonce, which the chain has passed without us: open, to be settled
   * like any other. With `through` above `nonce` one settled row for the range.
   */
  | (LaneSlot & { readonly type: 'import'; readonly through: bigint })
  /**
   * The first sight of a lane: it starts at its nonce on chain. `isAccepted`: an operator vouches
   * that nothing of it is in flight. `hasSentCalls`: another ledger of ours has used it.
   */
  | (LaneFence & {
      readonly type: 'introduce';
      readonly accountNonce: bigint;
      readonly window: bigint;
      readonly isAccepted: boolean;
      readonly hasSentCalls: boolean;
    })
  /**
   * The chain has more of the lane than the ledger, or another lane's ledger is behind; again after
   * the mempool's lifetime, with `isAged`.
   */
  | (LaneFence & { readonly type: 'quarantine'; readonly until: bigint; readonly isAged: boolean })
  /**
   * Every nonce of these lanes that was in question is consumed. Lanes that are behind end theirs
   * together, once outcomes are adopted.
   */
  | { readonly type: 'end_quarantine'; readonly lanes: readonly Felt[] }
  /** Q2: the outcome of a call that this ledger does not know to have been sent. */
  | ({ readonly type: 'adopt'; readonly lane: Felt; readonly nonce: bigint } & AdoptedCall & Proven)
  /**
   * X. `expired` only when the store's clock has passed `notBeforeMs`. `onlyUnsigned`: only while
   * nothing of it was ever signed.
   */
  | {
      readonly type: 'end_waiting';
      readonly attempt: AttemptRef;
      readonly to: 'refused' | 'expired';
      readonly code: string;
      readonly notBeforeMs: number;
      readonly onlyUnsigned?: true;
    }
  /** O */
  | {
      readonly type: 'observe';
      readonly lane: Felt;
      readonly nonce: bigint;
      readonly hash: Felt;
      readonly seen: SeenExecution | null;
    };

export type LaneFence = Omit<LaneSlot, 'nonce'>;

export type SubmissionCommandType = SubmissionCommand['type'];
