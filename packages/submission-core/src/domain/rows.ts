import type { Felt } from '@sotto/kernel';
import type { ResourceBounds, ResourceLimits } from './resource-bounds.js';

/** Where an attempt stands. The first three are live; the others are ends and never change again. */
export type AttemptState = 'accepted' | 'prepared' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';

export const LIVE_STATES = ['accepted', 'prepared', 'broadcast'] as const satisfies readonly AttemptState[];

export function isLive(state: AttemptState): boolean {
  return state === 'accepted' || state === 'prepared' || state === 'broadcast';
}

/** Which accounts may sign a call: any relay account, the swap pool's owner, or the vaults' curator. */
export type LaneRole = 'relay' | 'swap_owner' | 'curator';

/** Names one attempt: attempts of a key are numbered from 1. */
export interface AttemptRef {
  readonly key: string;
  readonly attempt: number;
}

/** The one call that a submission puts on chain. Its calldata is kept apart, so that it can be wiped. */
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
}

/** One try to put a submission on chain: the row that callers are answered from. */
export interface Attempt extends AttemptRef {
  /** Public, unguessable name of the attempt. */
  readonly id: string;
  readonly state: AttemptState;
  /** Digest of what the caller asked for: equal requests have equal fingerprints, whatever the proof's bytes. */
  readonly fingerprint: string;
  readonly role: LaneRole;
  readonly target: CallTarget;
  readonly limits: ResourceLimits;
  readonly terms: Terms | null;
  /** Lane and nonce are both set or both null. */
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
  /** True once it has come back from a nonce: admission runs again before it gets another one. */
  readonly readmit: boolean;
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
}

export type NonceState = 'open' | 'settled';

/** One nonce of a lane. Rows of a lane have no gaps; a settled row never changes again. */
export interface NonceRow {
  readonly lane: Felt;
  readonly nonce: bigint;
  readonly state: NonceState;
  /** The attempt that holds it; null for a free nonce and for one with nothing but a no-op. */
  readonly owner: AttemptRef | null;
  /** Who took it: one of our hashes, or `stranger` for a transaction that is not in the ledger; null while open. */
  readonly settledBy: Felt | 'stranger' | null;
  /** Fee that its taker was charged, when the taker is ours. */
  readonly gasPaidFri: bigint | null;
}

export type ExecutionStatus = 'SUCCEEDED' | 'REVERTED';

/** What PRE_CONFIRMED showed. An answer for the caller, never evidence for the ledger. */
export interface SeenExecution {
  readonly execution: ExecutionStatus;
  readonly revertReason: string | null;
}

/** One signed transaction. Everything that could ever land stands in such a row before it is sent. */
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
  readonly claims: 0 | 1 | 2;
  /** Fence under which the last send was claimed. */
  readonly claimFence: bigint | null;
  readonly claimedAtMs: number | null;
  /** True when it can never land: released before any send, conclusively refused, or its nonce was taken by another. */
  readonly dead: boolean;
  readonly refusalCode: string | null;
  readonly seen: SeenExecution | null;
}

/** A nonce that is not settled yet, with all that stands under it. */
export interface OpenNonce {
  readonly row: NonceRow;
  readonly owner: Attempt | null;
  readonly transactions: readonly TransactionRow[];
}

/** An account with its nonces, leased to one instance at a time. */
export interface Lane {
  readonly address: Felt;
  readonly role: LaneRole;
  readonly leasedTo: string | null;
  /** Raised by every lease; writes under an older fence are refused. */
  readonly fence: bigint;
}

export function refOf({ key, attempt }: AttemptRef): AttemptRef {
  return { key, attempt };
}

export function sameRef(a: AttemptRef | null, b: AttemptRef | null): boolean {
  return a === b || (a !== null && b !== null && a.key === b.key && a.attempt === b.attempt);
}
