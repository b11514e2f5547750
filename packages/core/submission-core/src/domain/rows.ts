import type { Felt } from '@sotto/kernel';
import type { ResourceBounds, ResourceLimits } from './resource-bounds.js';

/**
 * Where an attempt stands. The first two are live; the others are ends, which only a rollback of
 * the chain takes back.
 */
export type AttemptState =
  'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';

export const LIVE_STATES = ['accepted', 'broadcast'] as const satisfies readonly AttemptState[];

export function isLive(state: AttemptState): boolean {
  return state === 'accepted' || state === 'broadcast';
}

/**
 * Which accounts may sign a call: any relay account, the swap pool's owner, the vaults' curator,
 * the keeper's own accounts, or the treasury.
 */
export const LANE_ROLES = ['relay', 'swap_owner', 'curator', 'keeper', 'treasury'] as const;
export type LaneRole = (typeof LANE_ROLES)[number];

/** Names one attempt: attempts of a key are numbered from 1. */
export interface AttemptRef {
  readonly key: string;
  readonly attempt: number;
}

/**
 * The one call that a submission puts on chain. Its calldata is kept apart, so that it can be
 * wiped.
 */
export interface CallTarget {
  readonly to: Felt;
  readonly entrypoint: string;
}

/** What a submission was accepted for, kept for the books after everything private is wiped. */
export interface Terms {
  /** Fee inside the call, in the fee token's smallest unit. */
  readonly feeAmount: bigint;
  readonly feeToken: Felt;
  /** What the whole cycle was expected to cost, in fri. */
  readonly costFri: bigint;
  /** Market prices used, in 1e-8 USD. */
  readonly strkUsdE8: bigint;
  readonly feeTokenUsdE8: bigint;
  /**
   * Bounds of what the call may bring, in the text of the core that submits it; absent for calls
   * without such bounds.
   */
  readonly bounds?: string;
}

/** An outcome that was recorded at ACCEPTED_ON_L2 and undone with its block. */
export interface UndoneOutcome {
  readonly transactionHash: Felt;
  readonly execution: ExecutionStatus;
  readonly undoneAtMs: number;
}

/**
 * What a submission is about, in the words of the core that submits it: the machine carries it, and
 * the core reads it back. Public, and kept for good; key and fingerprint are compared, never read.
 */
export interface CallPurpose {
  /** Such as `withdraw` or `deposit`. */
  readonly kind: string;
  /** The contract that it is counted under: a pool or a vault, which need not be the one called. */
  readonly subject: Felt;
  /** One value by which its kind goes on, such as the hash of a nullifier; null where none does. */
  readonly memo: string | null;
}

/** One try to put a submission on chain: the row that callers are answered from. */
export interface Attempt extends AttemptRef, CallPurpose {
  /** Public, unguessable name of the attempt. */
  readonly id: string;
  readonly state: AttemptState;
  /**
   * Digest of what the call does: requests of one effect have one answer. The fingerprint where
   * its core makes no difference.
   */
  readonly effect: string;
  /**
   * Digest of all that the caller asked for: equal requests have equal fingerprints, whatever the
   * proof's bytes.
   */
  readonly fingerprint: string;
  readonly role: LaneRole;
  readonly target: CallTarget;
  readonly limits: ResourceLimits;
  readonly terms: Terms | null;
  /**
   * True when the called contract executes the call once at most (a withdrawal's nullifier). Such a
   * call may get another nonce or attempt at ACCEPTED_ON_L2; any other has to wait until what stood
   * under its old nonce is final.
   */
  readonly replayProtected: boolean;
  /** Lane and nonce are both set or both null. */
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
  /** True once it has lost a nonce: it is revalidated before it gets another one. */
  readonly readmit: boolean;
  /** The lane that refused it for a reason of the account; it is sent by another lane next. */
  readonly avoidLane: Felt | null;
  readonly acceptedAtMs: number;
  /** After this moment nothing more is tried for it than to learn how it ended. */
  readonly deadlineMs: number;
  readonly endedAtMs: number | null;
  /** Code of the refusal or expiry; null otherwise. */
  readonly refusalCode: string | null;
  /** The transaction that ended it at ACCEPTED_ON_L2. */
  readonly transactionHash: Felt | null;
  readonly revertReason: string | null;
  /** What its transaction was charged. */
  readonly gasPaidFri: bigint | null;
  /**
   * True once the block of its outcome is at ACCEPTED_ON_L1: nothing takes the outcome back any
   * more.
   */
  readonly isFinal: boolean;
  /** The outcome that a rollback took back, if one did; the other fields say what is true now. */
  readonly undone: UndoneOutcome | null;
}

export type NonceState = 'open' | 'settled';
export type ExecutionStatus = 'SUCCEEDED' | 'REVERTED';

/** Names a block for good: the same height may hold another one after a rollback. */
export interface BlockRef {
  readonly number: number;
  readonly hash: Felt;
}

/** How a nonce was consumed, as a block at ACCEPTED_ON_L2 shows it. */
export interface Settlement {
  /**
   * The transaction that consumed it; null where only the account's nonce showed it (ranges, and
   * rows of the first release).
   */
  readonly hash: Felt | null;
  /**
   * True for a transaction that is not in the ledger: something else signed with the lane's key.
   */
  readonly isForeign: boolean;
  /** Null where the hash is. */
  readonly execution: ExecutionStatus | null;
  /** Null where the hash is. */
  readonly block: BlockRef | null;
  /** Fee that it was charged; null when it is not ours. */
  readonly feeFri: bigint | null;
  /**
   * True when a refusal of it had been recorded as conclusive: this provider's refusals prove
   * nothing.
   */
  readonly disprovesRefusal: boolean;
  readonly atMs: number;
  /** True once the block is at ACCEPTED_ON_L1, or older than the horizon: it can't be undone. */
  readonly isFinal: boolean;
}

/**
 * One nonce of a lane, or a range of them that was imported as one. Rows of a lane have no gaps.
 */
export interface NonceRow {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Last nonce of an imported range; equal to `nonce` in every other row. */
  readonly through: bigint;
  readonly state: NonceState;
  /**
   * Raised by every write that changes the owner or what could land here: 1 for a new row, 0 stands
   * for an absent one. A command that was decided on other rows names an older version and is
   * refused.
   */
  readonly version: number;
  /** The attempt that holds it; null for a free nonce and for one with nothing but a no-op. */
  readonly owner: AttemptRef | null;
  /** Null while open. */
  readonly settlement: Settlement | null;
}

/** What PRE_CONFIRMED showed. An answer for the caller, never evidence for the ledger. */
export interface SeenExecution {
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
}

/**
 * One signed transaction. Everything that could ever land stands in such a row before it is sent.
 */
export interface TransactionRow {
  readonly hash: Felt;
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly kind: 'call' | 'noop';
  /** Whose call it carries; null for a no-op. */
  readonly attempt: AttemptRef | null;
  /** 0 for the first price, one more for each replacement. */
  readonly priceStep: number;
  readonly bounds: ResourceBounds;
  /** Claimed sends; 2 stands for "more than one". */
  readonly sendCount: 0 | 1 | 2;
  /** Fence under which the last send was claimed. */
  readonly claimFence: bigint | null;
  readonly claimedAtMs: number | null;
  /** Node that the last claimed send goes to; null where it is not known. */
  readonly claimNode: string | null;
  /**
   * Why it can't land: refused for good, or its nonce was consumed by another (until that block is
   * undone). Null while it can.
   */
  readonly gone: 'refused' | 'lost' | null;
  readonly refusalCode: string | null;
  readonly seen: SeenExecution | null;
}

/** Fields of a stored transaction that a send needs; `claimNode` is the node of its last send. */
export type SendableTransaction = Pick<TransactionRow, 'hash' | 'kind' | 'bounds' | 'claimNode'>;

/** A nonce that is not settled yet, with all that stands under it. */
export interface OpenNonce {
  readonly row: NonceRow;
  readonly owner: Attempt | null;
  readonly transactions: readonly TransactionRow[];
}

/**
 * Nonces that transactions unknown to this ledger may hold: each has to be consumed at
 * ACCEPTED_ON_L2 before the lane carries a call. `introduced`: the ledger has never held this lane.
 * `behind`: the chain has more of this lane than the ledger.
 */
export interface Quarantine {
  readonly cause: 'introduced' | 'behind';
  /** First nonce that is not in question any more. */
  readonly until: bigint;
  readonly sinceMs: number;
  /** True once `until` was fixed after the mempool's lifetime: no-ops may be stored. */
  readonly isAged: boolean;
}

/** An account with its nonces, leased to one instance at a time. */
export interface Lane {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly leasedTo: string | null;
  /** Raised by every lease; writes under an older fence are refused. */
  readonly fence: bigint;
  /**
   * One above the highest nonce that this ledger has ever held for the lane; null until the lane is
   * introduced. Never lowered.
   */
  readonly nextNonce: bigint | null;
  readonly quarantine: Quarantine | null;
  /** Why the lane was stopped until an operator resumes it; null while it was not. */
  readonly pausedFor: string | null;
}

export function isFree({ row, transactions }: Pick<OpenNonce, 'row' | 'transactions'>): boolean {
  return row.state === 'open' && row.owner === null && !transactions.some(isLandable);
}

/** It may be consumed by this transaction. */
export function isLandable({ gone }: Pick<TransactionRow, 'gone'>): boolean {
  return gone === null;
}

export function refOf({ key, attempt }: AttemptRef): AttemptRef {
  return { key, attempt };
}

export function sameRef(a: AttemptRef | null, b: AttemptRef | null): boolean {
  return a === b || (a !== null && b !== null && a.key === b.key && a.attempt === b.attempt);
}
