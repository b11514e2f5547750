import type { Felt, Felts } from '@sotto/kernel';
import type { SubmissionEvent } from '../domain/events.js';
import type { Attempt, AttemptRef, Lane, LaneRole, OpenNonce, TransactionRow } from '../domain/rows.js';
import type { StoodBack } from '../domain/view.js';

/**
 * What became of an event, and the attempt it was about as it stands after the commit: for an event that names a key its last attempt,
 * for one that names a nonce the attempt that held it when the event began (null when nobody did).
 */
export type Recorded =
  | { readonly written: true; readonly attempt: Attempt | null }
  | { readonly written: false; readonly because: StoodBack; readonly attempt: Attempt | null };

/**
 * The durable rows of the submission machine.
 *
 * `record` is one transaction: it reads the rows of `scopeOf(event)`, asks `decide`, writes what that returns and commits
 * before it resolves; concurrent records see each other's rows or run again. The database itself holds the constraints of the
 * transition table (unique key + attempt, one live attempt per key, unique lane + nonce, one live attempt per nonce,
 * unique lane + nonce + price step + kind). Rejects with {@link LedgerUnavailable} when the store can't answer.
 */
export interface Ledger {
  record(event: SubmissionEvent): Promise<Recorded>;

  attemptById(id: string): Promise<Attempt | null>;
  lastAttempt(key: string): Promise<Attempt | null>;
  attempt(ref: AttemptRef): Promise<Attempt | null>;
  /** Attempts in state `accepted` for lanes of this role, oldest first. */
  waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]>;
  /** How many attempts in state `accepted` wait for lanes of this role. */
  countWaiting(role: LaneRole): Promise<number>;
  /** Open nonces of a lane, lowest first. */
  openNonces(lane: Felt): Promise<readonly OpenNonce[]>;
  /** One above the highest nonce row of the lane; null while it has none. */
  nextNonce(lane: Felt): Promise<bigint | null>;
  /** Transactions of an attempt, oldest first. */
  transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]>;
  /** Calldata of an attempt; null once wiped. */
  calldata(id: string): Promise<Felts | null>;
  /** The bytes to send; null once wiped. */
  signedBytes(hash: Felt): Promise<Uint8Array | null>;

  /** Makes sure that the lane has a row. */
  registerLane(address: Felt, role: LaneRole): Promise<void>;
  /**
   * G: takes the lane if it is free, its lease has run out, or `instance` holds it already. Every lease raises the fence.
   * Time is the store's own. Null when another instance holds it.
   */
  lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null>;
  /** Prolongs a lease; false when the fence is no longer current. */
  renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean>;
  /** Gives a lease back; nothing happens when the fence is no longer current. */
  unlease(address: Felt, instance: string, fence: bigint): Promise<void>;

  /** Removes calldata and signed bytes of attempts that ended before `endedBeforeMs`, and bytes of settled nonces; returns how many attempts were wiped. */
  wipe(endedBeforeMs: number): Promise<number>;
}

export const Ledger: unique symbol = Symbol.for('@sotto/submission-core/Ledger');
