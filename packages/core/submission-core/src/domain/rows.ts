import type { Felt } from '@sotto/kernel';
import type { ResourceBounds, ResourceLimits } from './resource-bounds.js';

/**
 * State of an attempt. `accepted` and `broadcast` are live. The other states are ends, which only a
 * rollback of the chain can undo.
 */
export type AttemptState =
  'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';

export const LIVE_STATES = ['accepted', 'broadcast'] as const satisfies readonly AttemptState[];

export function isLive(state: AttemptState): boolean {
  return state === 'accepted' || state === 'broadcast';
}

/**
 * Role of the accounts that may sign a call: any relay account, the swap pool's owner, the vaults'
 * curator, the keeper's accounts, or the treasury.
 */
export const LANE_ROLES = ['relay', 'swap_owner', 'curator', 'keeper', 'treasury'] as const;
export type LaneRole = (typeof LANE_ROLES)[number];

/** Reference to one attempt. The attempts of a key are numbered from 1. */
export interface AttemptRef {
  readonly key: string;
  readonly attempt: number;
}

/**
 * Contract and entry point of a submission's single call. The calldata is stored separately, so
 * that it can be redacted.
 */
export interface CallTarget {
  readonly to: Felt;
  readonly entrypoint: string;
}

/**
 * Terms under which a submission was accepted. The terms remain stored for accounting after all
 * private data is redacted.
 */
export interface Terms {
  /**
   * Fee inside the call, in the smallest unit of the fee token. If the transaction also gives STRK
   * to the recipient, less the price of this STRK: only the rest is earned.
   */
  readonly feeAmount: bigint;
  readonly feeToken: Felt;
  /** Expected cost of the whole submission cycle, in fri. */
  readonly costFri: bigint;
  /** Market price of STRK used for these terms, in 1e-8 USD. */
  readonly strkUsdE8: bigint;
  readonly feeTokenUsdE8: bigint;
  /**
   * Minimum and maximum proceeds of the call, in the format of the core that submits it; absent for
   * calls without such limits.
   */
  readonly bounds?: string;
}

/**
 * Outcome that was recorded at ACCEPTED_ON_L2 and then undone because its block was rolled back.
 */
export interface UndoneOutcome {
  readonly transactionHash: Felt;
  readonly execution: ExecutionStatus;
  readonly undoneAtMs: number;
}

/**
 * Purpose of a submission, in terms of the core that submits it. The machine only stores the
 * purpose, and the core reads it. A purpose is public and permanent. Key and fingerprint, in
 * contrast, are only compared.
 */
export interface CallPurpose {
  /** Kind of call, such as `withdraw` or `deposit`. */
  readonly kind: string;
  /**
   * Contract under which the submission is counted: a pool or a vault, which may differ from the
   * called contract.
   */
  readonly subject: Felt;
  /**
   * Value that identifies the call among calls of its kind, such as the hash of a nullifier; null
   * if the kind needs none.
   */
  readonly memo: string | null;
}

/** One try to put a submission on chain. Responses to callers are derived from this row. */
export interface Attempt extends AttemptRef, CallPurpose {
  /** Public, unguessable id of the attempt. */
  readonly id: string;
  readonly state: AttemptState;
  /**
   * Digest of the call's effect: requests with equal effect get one answer. Equal to the
   * fingerprint if the core of the call does not distinguish effect and details.
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
   * True if the called contract executes the call at most once (for example because of a
   * withdrawal's nullifier). Such a call may get another nonce or attempt once the old nonce is
   * settled at ACCEPTED_ON_L2. Any other call has to wait until the outcome of its old nonce is
   * final.
   */
  readonly replayProtected: boolean;
  /** Lane that sends the attempt. Set and cleared together with `nonce`. */
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
  /**
   * True if the attempt had a nonce and lost it. Such an attempt is revalidated before it gets
   * another nonce.
   */
  readonly readmit: boolean;
  /**
   * Lane that rejected the attempt because of the lane's account; another lane sends the attempt
   * next.
   */
  readonly avoidLane: Felt | null;
  readonly acceptedAtMs: number;
  /**
   * Time in ms after which nothing is sent for the attempt. From then on, the machine only observes
   * the outcome of transactions that were sent before.
   */
  readonly deadlineMs: number;
  /**
   * Last block in which the call can succeed; null if every block is possible. The called contract
   * checks this block: a transaction that is included later reverts.
   */
  readonly deadlineBlock: number | null;
  readonly endedAtMs: number | null;
  /** Code of the refusal or expiry; null otherwise. */
  readonly rejectionCode: string | null;
  /** Hash of the transaction that ended the attempt at ACCEPTED_ON_L2. */
  readonly transactionHash: Felt | null;
  readonly revertReason: string | null;
  /** Fee charged for the transaction of the attempt, in fri. */
  readonly gasPaidFri: bigint | null;
  /**
   * True once the block of the attempt's outcome is at ACCEPTED_ON_L1: then the outcome can't be
   * undone any more.
   */
  readonly isFinal: boolean;
  /**
   * Outcome that a rollback undid; null if there is none. The other fields describe the current
   * state.
   */
  readonly undone: UndoneOutcome | null;
}

export type NonceState = 'open' | 'settled';
export type ExecutionStatus = 'SUCCEEDED' | 'REVERTED';

/**
 * Unique reference to a block by height and hash: after a rollback another block may have the same
 * height.
 */
export interface BlockRef {
  readonly number: number;
  readonly hash: Felt;
}

/** Consumption of a nonce, as read from a block at ACCEPTED_ON_L2. */
export interface Settlement {
  /**
   * Hash of the transaction that consumed the nonce. Null if only the account's nonce proves the
   * consumption (ranges, and rows of the first release).
   */
  readonly hash: Felt | null;
  /** True if the consumer is not in the ledger: a third party signed with the lane's key. */
  readonly isForeign: boolean;
  /** Execution status of the consumer; null if the hash is null. */
  readonly execution: ExecutionStatus | null;
  /** Block of the consumer; null if the hash is null. */
  readonly block: BlockRef | null;
  /** Fee charged for the consumer, in fri; null if the transaction is not ours. */
  readonly feeFri: bigint | null;
  /**
   * True if a conclusive refusal of this transaction had been recorded, although the transaction
   * landed. From then on, refusals of this provider prove nothing.
   */
  readonly disprovesRejection: boolean;
  readonly atMs: number;
  /**
   * True once the block is at ACCEPTED_ON_L1 or older than the finality horizon: then the
   * settlement can't be undone.
   */
  readonly isFinal: boolean;
}

/**
 * One nonce of a lane, or a range of nonces that was imported as one row. The rows of a lane have
 * no gaps between them.
 */
export interface NonceRow {
  readonly lane: Felt;
  readonly nonce: bigint;
  /** Last nonce of an imported range; equal to `nonce` in every other row. */
  readonly through: bigint;
  readonly state: NonceState;
  /**
   * Version of the row: 1 for a new row, 0 for an absent row. Increased by every write that changes
   * the owner or the transactions that could land. A command with an older version is rejected.
   */
  readonly version: number;
  /** Attempt that holds the nonce; null for a free nonce and for a nonce with only a no-op. */
  readonly owner: AttemptRef | null;
  /** Consumption of the nonce; null while the nonce is open. */
  readonly settlement: Settlement | null;
}

/**
 * Pre-confirmed result of a transaction. This result is used for responses to callers and is never
 * evidence for the ledger.
 */
export interface SeenExecution {
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
}

/** Signed transaction. Each transaction is stored before it is sent. */
export interface TransactionRow {
  readonly hash: Felt;
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly kind: 'call' | 'noop';
  /** Attempt whose call the transaction executes; null for a no-op. */
  readonly attempt: AttemptRef | null;
  /** Number of price increases: 0 for the first price, one more for each replacement. */
  readonly priceStep: number;
  readonly bounds: ResourceBounds;
  /** Number of claimed sends; 2 means two or more. */
  readonly sendCount: 0 | 1 | 2;
  /** Fence under which the last send was claimed. */
  readonly claimFence: bigint | null;
  readonly claimedAtMs: number | null;
  /** Node of the last claimed send; null if unknown. */
  readonly claimNode: string | null;
  /**
   * Reason why the transaction can't land; null while it can land. `refused`: a refusal proves
   * this. `lost`: another transaction has consumed the nonce. If the block of that transaction is
   * undone, this transaction can land again.
   */
  readonly gone: 'refused' | 'lost' | null;
  readonly rejectionCode: string | null;
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
 * Range of nonces that transactions unknown to this ledger may use. Each nonce of the range has to
 * be consumed at ACCEPTED_ON_L2 before the lane sends a call. `introduced`: the lane is new to this
 * ledger. `behind`: the chain has transactions of this lane that the ledger lacks.
 */
export interface Quarantine {
  readonly cause: 'introduced' | 'behind';
  /** First nonce above the quarantined range. */
  readonly until: bigint;
  readonly sinceMs: number;
  /**
   * True once the mempool's lifetime has passed and `until` is fixed. From then on, no-ops may be
   * stored for these nonces.
   */
  readonly isAged: boolean;
}

/** Account with its nonces, leased to one instance at a time. */
export interface Lane {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly leasedTo: string | null;
  /**
   * Fence of the current lease. Each new lease increases the fence; writes with an older fence are
   * rejected.
   */
  readonly fence: bigint;
  /**
   * The highest nonce that this ledger has ever stored for the lane, plus one; null until the lane
   * is introduced. Never decreases.
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
