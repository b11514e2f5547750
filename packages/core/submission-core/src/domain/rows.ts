import type { Felt } from '@sotto/kernel';
import type { ResourceBounds, ResourceLimits } from './resource-bounds.js';

/**
 * State of an attempt. The first two are live. The others are ends, which only a rollback of the
 * chain can undo.
 */
export type AttemptState =
  'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';

export const LIVE_STATES = ['accepted', 'broadcast'] as const satisfies readonly AttemptState[];

export function isLive(state: AttemptState): boolean {
  return state === 'accepted' || state === 'broadcast';
}

/**
 * Accounts that may sign a call: any relay account, the swap pool's owner, the vaults' curator, the
 * keeper's own accounts, or the treasury.
 */
export const LANE_ROLES = ['relay', 'swap_owner', 'curator', 'keeper', 'treasury'] as const;
export type LaneRole = (typeof LANE_ROLES)[number];

/** Reference to one attempt. The attempts of a key are numbered from 1. */
export interface AttemptRef {
  readonly key: string;
  readonly attempt: number;
}

/**
 * The single call of a submission. The calldata is stored separately, so that it can be redacted.
 */
export interface CallTarget {
  readonly to: Felt;
  readonly entrypoint: string;
}

/**
 * Terms under which a submission was accepted, kept for accounting after everything private is
 * redacted.
 */
export interface Terms {
  /** Fee inside the call, in the fee token's smallest unit. */
  readonly feeAmount: bigint;
  readonly feeToken: Felt;
  /** Expected cost of the whole cycle, in fri. */
  readonly costFri: bigint;
  /** Market prices used, in 1e-8 USD. */
  readonly strkUsdE8: bigint;
  readonly feeTokenUsdE8: bigint;
  /**
   * Bounds of the call's proceeds, in the format of the core that submits it; absent for calls
   * without such bounds.
   */
  readonly bounds?: string;
}

/** Outcome that was recorded at ACCEPTED_ON_L2 and undone with its block. */
export interface UndoneOutcome {
  readonly transactionHash: Felt;
  readonly execution: ExecutionStatus;
  readonly undoneAtMs: number;
}

/**
 * Purpose of a submission, in terms of the core that submits it. The machine stores it, and the
 * core reads it. A purpose is public and permanent. Key and fingerprint, in contrast, are only
 * compared.
 */
export interface CallPurpose {
  /** Kind of call, such as `withdraw` or `deposit`. */
  readonly kind: string;
  /** Contract that it is counted under: a pool or a vault, which need not be the called one. */
  readonly subject: Felt;
  /**
   * Value by which its kind identifies the call, such as the hash of a nullifier; null if it needs
   * none.
   */
  readonly memo: string | null;
}

/** One try to put a submission on chain. Callers are answered from this row. */
export interface Attempt extends AttemptRef, CallPurpose {
  /** Public, unguessable name of the attempt. */
  readonly id: string;
  readonly state: AttemptState;
  /**
   * Digest of the call's effect: requests of one effect have one answer. Equal to the fingerprint
   * if its core makes no difference.
   */
  readonly effect: string;
  /**
   * Digest of the caller's whole request: equal requests have equal fingerprints, even if the bytes
   * of their proofs differ.
   */
  readonly fingerprint: string;
  readonly role: LaneRole;
  readonly target: CallTarget;
  readonly limits: ResourceLimits;
  readonly terms: Terms | null;
  /**
   * True if the called contract executes the call at most once (a withdrawal's nullifier). Such a
   * call may get another nonce or attempt at ACCEPTED_ON_L2. Any other call has to wait until the
   * outcome of its old nonce is final.
   */
  readonly replayProtected: boolean;
  /** Set together with the nonce, or null together with it. */
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
  /** True once it has lost a nonce: it is revalidated before it gets another one. */
  readonly readmit: boolean;
  /** Lane that rejected it for a reason of the account; another lane sends it next. */
  readonly avoidLane: Felt | null;
  readonly acceptedAtMs: number;
  /** Deadline. Afterwards nothing is sent for it; only its outcome is followed. */
  readonly deadlineMs: number;
  readonly endedAtMs: number | null;
  /** Code of the refusal or expiry; null otherwise. */
  readonly refusalCode: string | null;
  /** Transaction that ended it at ACCEPTED_ON_L2. */
  readonly transactionHash: Felt | null;
  readonly revertReason: string | null;
  /** Fee charged for its transaction. */
  readonly gasPaidFri: bigint | null;
  /**
   * True once the block of its outcome is at ACCEPTED_ON_L1: the outcome can't be undone any more.
   */
  readonly isFinal: boolean;
  /** Outcome that a rollback undid, if any. The other fields describe the current state. */
  readonly undone: UndoneOutcome | null;
}

export type NonceState = 'open' | 'settled';
export type ExecutionStatus = 'SUCCEEDED' | 'REVERTED';

/** Unique reference to a block: after a rollback the same height may hold another block. */
export interface BlockRef {
  readonly number: number;
  readonly hash: Felt;
}

/** Consumption of a nonce, as a block at ACCEPTED_ON_L2 shows it. */
export interface Settlement {
  /**
   * Transaction that consumed it; null if only the account's nonce showed it (ranges, and rows of
   * the first release).
   */
  readonly hash: Felt | null;
  /**
   * True for a transaction that is not in the ledger: something else signed with the lane's key.
   */
  readonly isForeign: boolean;
  /** Null if the hash is null. */
  readonly execution: ExecutionStatus | null;
  /** Null if the hash is null. */
  readonly block: BlockRef | null;
  /** Fee charged for it; null if it is not ours. */
  readonly feeFri: bigint | null;
  /**
   * True if a refusal of it had been recorded as conclusive: this provider's refusals prove
   * nothing.
   */
  readonly disprovesRefusal: boolean;
  readonly atMs: number;
  /** True once the block is at ACCEPTED_ON_L1, or older than the horizon: it can't be undone. */
  readonly isFinal: boolean;
}

/** One nonce of a lane, or a range of nonces imported as one row. Rows of a lane have no gaps. */
export interface NonceRow {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Last nonce of an imported range; equal to `nonce` in every other row. */
  readonly through: bigint;
  readonly state: NonceState;
  /**
   * Raised by every write that changes the owner or the transactions that could land: 1 for a new
   * row, 0 for an absent one. A command that was decided on older rows names an older version and
   * is rejected.
   */
  readonly version: number;
  /** Attempt that holds it; null for a free nonce and for one with only a no-op. */
  readonly owner: AttemptRef | null;
  /** Null while open. */
  readonly settlement: Settlement | null;
}

/** Pre-confirmed result. An answer for the caller, never evidence for the ledger. */
export interface SeenExecution {
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
}

/** Signed transaction. Each one is stored before it is sent. */
export interface TransactionRow {
  readonly hash: Felt;
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly kind: 'call' | 'noop';
  /** Attempt whose call it carries; null for a no-op. */
  readonly attempt: AttemptRef | null;
  /** 0 for the first price, one more for each replacement. */
  readonly priceStep: number;
  readonly bounds: ResourceBounds;
  /** Claimed sends; 2 means more than one. */
  readonly sendCount: 0 | 1 | 2;
  /** Fence under which the last send was claimed. */
  readonly claimFence: bigint | null;
  readonly claimedAtMs: number | null;
  /** Node of the last claimed send; null if unknown. */
  readonly claimNode: string | null;
  /**
   * Reason why it can't land: refused for good, or its nonce was consumed by another transaction
   * (until that block is undone). Null while it can.
   */
  readonly gone: 'refused' | 'lost' | null;
  readonly refusalCode: string | null;
  readonly seen: SeenExecution | null;
}

/** Fields of a stored transaction that a send needs. `claimNode` is the node of its last send. */
export type SendableTransaction = Pick<TransactionRow, 'hash' | 'kind' | 'bounds' | 'claimNode'>;

/** Nonce that is not settled yet, with its owner and transactions. */
export interface OpenNonce {
  readonly row: NonceRow;
  readonly owner: Attempt | null;
  readonly transactions: readonly TransactionRow[];
}

/**
 * Nonces that transactions unknown to this ledger may hold. Each has to be consumed at
 * ACCEPTED_ON_L2 before the lane carries a call. `introduced`: the ledger has never held this lane.
 * `behind`: the chain has more of this lane than the ledger.
 */
export interface Quarantine {
  readonly cause: 'introduced' | 'behind';
  /** First nonce that is no longer in question. */
  readonly until: bigint;
  readonly sinceMs: number;
  /** True once `until` was fixed after the mempool's lifetime: no-ops may be stored. */
  readonly isAged: boolean;
}

/** Account with its nonces, leased to one instance at a time. */
export interface Lane {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly leasedTo: string | null;
  /** Raised by every lease; writes under an older fence are rejected. */
  readonly fence: bigint;
  /**
   * One above the highest nonce that this ledger has ever held for the lane; null until the lane is
   * introduced. Never lowered.
   */
  readonly nextNonce: bigint | null;
  readonly quarantine: Quarantine | null;
  /** Reason why the lane is paused until an operator resumes it; null if it is not paused. */
  readonly pausedFor: string | null;
}

export function isFree({ row, transactions }: Pick<OpenNonce, 'row' | 'transactions'>): boolean {
  return row.state === 'open' && row.owner === null && !transactions.some(isLandable);
}

/** True if this transaction may still consume its nonce. */
export function isLandable({ gone }: Pick<TransactionRow, 'gone'>): boolean {
  return gone === null;
}

export function refOf({ key, attempt }: AttemptRef): AttemptRef {
  return { key, attempt };
}

export function sameRef(a: AttemptRef | null, b: AttemptRef | null): boolean {
  return a === b || (a !== null && b !== null && a.key === b.key && a.attempt === b.attempt);
}
