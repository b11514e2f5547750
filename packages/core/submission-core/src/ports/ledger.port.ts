import type { Felt, Felts } from '@sotto/kernel';
import type { SubmissionCommand } from '../domain/events.js';
import type {
  Attempt,
  AttemptRef,
  BlockRef,
  Lane,
  LaneRole,
  NonceRow,
  OpenNonce,
  TransactionRow,
} from '../domain/rows.js';
import type { LaneShare } from '../domain/lane-shares.js';
import { isBehind, type RejectionReason, type WrittenRows } from '../domain/machine-state.js';
import type { SignedParts } from '../domain/signed-envelope.js';

/**
 * Result of a command, with the attempt of the command as it was after the commit. For a command
 * with a key, this is the last attempt of the key. For a command with a nonce, this is the attempt
 * that the command changed, or else the attempt that holds the nonce. Null if no attempt holds the
 * nonce.
 */
export type CommandResult =
  | {
      readonly applied: true;
      readonly attempt: Attempt | null;
      /** Row of the nonce as written; null if the command changed no nonce. */
      readonly nonce: NonceRow | null;
      readonly written: WrittenRows;
    }
  | {
      readonly applied: false;
      readonly because: RejectionReason;
      readonly attempt: Attempt | null;
    };

/**
 * Identity of the chain whose transactions a ledger stores. The first block distinguishes two
 * chains with the same name, such as a restarted development chain.
 */
export interface ChainIdentity {
  readonly chainId: Felt;
  /** Hash of block 0. */
  readonly genesisHash: Felt;
}

/** Attempt and transactions from which a response to a caller is derived. */
export interface AttemptWithTransactions {
  readonly attempt: Attempt;
  readonly transactions: readonly TransactionRow[];
}

/** State of the ledger as a whole. */
export interface LedgerState {
  /** Chain that the ledger is bound to; null for a ledger that was never bound to a chain. */
  readonly chain: ChainIdentity | null;
  /** Highest block that was stored by {@link Ledger.noteBlock}; null before the first call. */
  readonly lastBlock: number | null;
  /** Time of the store, in ms, by which all ages of rows are measured. */
  readonly nowMs: number;
  /**
   * Time by the store's clock at which this ledger was first opened as a possible copy. Rows that
   * the original ledger contained may then be missing. Null if nothing indicates a copy.
   */
  readonly possibleCopySinceMs: number | null;
  /**
   * Number of recorded refusals that a block disproved. If it is above 0, no refusal of this
   * provider is accepted as proof any more.
   */
  readonly disprovedRefusals: number;
  readonly lanes: readonly Lane[];
}

/**
 * True if transactions were sent, or may have been sent, with another ledger and are missing in
 * this ledger. No call is then sent and no attempt ends.
 */
export function mayLackRows({
  lanes,
  possibleCopySinceMs,
}: Pick<LedgerState, 'lanes' | 'possibleCopySinceMs'>): boolean {
  return possibleCopySinceMs !== null || isBehind(lanes);
}

/**
 * Durable rows of the submission machine.
 *
 * `apply` runs one database transaction: it reads the rows of `scopeOf(event)`, calls `decide`,
 * writes the result and commits before it resolves. Concurrent commands see each other's rows or
 * are run again.
 *
 * The database itself enforces the constraints of the transition table. Key + attempt number, lane
 * + nonce, and lane + nonce + price step + kind are unique. A key has at most one live attempt, and
 * a nonce is held by at most one attempt. Every time in the rows comes from the store's clock, not
 * from the caller's clock. Rejects with {@link LedgerUnavailable} if the store can't answer.
 */
export abstract class Ledger {
  abstract apply(event: SubmissionCommand): Promise<CommandResult>;

  abstract attemptById(id: string): Promise<Attempt | null>;
  /**
   * Returns the attempt of a key that matters for decisions: the live attempt, otherwise a
   * succeeded one, otherwise the last one.
   */
  abstract lastAttempt(key: string): Promise<Attempt | null>;
  abstract attempt(ref: AttemptRef): Promise<Attempt | null>;
  /** Returns attempts in state `accepted` that wait for lanes of this role, oldest first. */
  abstract waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]>;
  /** Returns the number of attempts in state `accepted` that wait for lanes of this role. */
  abstract countWaiting(role: LaneRole): Promise<number>;
  /** Returns the open nonces of a lane, lowest first. */
  abstract openNonces(lane: Felt): Promise<readonly OpenNonce[]>;
  /**
   * Returns settled nonces of a lane whose block can still be undone, ordered by the height of that
   * block. Nonces without a block are omitted.
   */
  abstract unfinalNonces(
    lane: Felt,
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly NonceRow[]>;
  /** Returns final nonces of a lane whose settlement has a block, the highest nonce first. */
  abstract finalNonces(lane: Felt, limit: number): Promise<readonly NonceRow[]>;
  /** Returns an attempt and its transactions, oldest first, as one snapshot. */
  abstract attemptWithTransactions(id: string): Promise<AttemptWithTransactions | null>;
  /** Returns the transactions of an attempt, oldest first. */
  abstract transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]>;
  /**
   * Returns the block that settled the nonce which the attempt holds. Null if the attempt holds no
   * nonce, if the nonce is not settled, or if its block is unknown.
   */
  abstract inclusionOf(ref: AttemptRef): Promise<BlockRef | null>;
  /** Returns the calldata of an attempt; null after the calldata was redacted. */
  abstract calldata(id: string): Promise<Felts | null>;
  /**
   * Returns the data from which a transaction's signed bytes can be restored; null after the data
   * was redacted.
   */
  abstract signedParts(hash: Felt): Promise<SignedParts | null>;

  /** Reads the ledger's state. The read is cheap enough to check whether the store answers. */
  abstract state(): Promise<LedgerState>;
  /**
   * Binds a new ledger to its chain. Does nothing if it is bound to the same chain already.
   * @throws LedgerOfAnotherChain
   */
  abstract bindChain(chain: ChainIdentity): Promise<void>;
  /**
   * Stores that the chain has reached this block. If the ledger is restored later, it reads the
   * chain from this block on. The stored height never decreases.
   */
  abstract noteBlock(number: number): Promise<void>;
  /**
   * Clears the mark of a possible copy. Call this once the ledger contains everything that can have
   * been sent with a lost ledger. Does nothing if the ledger was marked again after `sinceMs`.
   * @param sinceMs time of the mark that was checked
   */
  abstract clearPossibleCopy(sinceMs: number): Promise<void>;
  /**
   * Pauses a lane for a reason, or resumes it if `reason` is null. A paused lane accepts no calls,
   * but its transactions in flight are still followed. Returns false for an unknown lane.
   */
  abstract pauseLane(address: Felt, reason: string | null): Promise<boolean>;

  /** Creates a row for the lane if it has none. */
  abstract registerLane(address: Felt, role: LaneRole): Promise<void>;
  /**
   * Leases the lane to `instance` (row G of the transition table). Requires that the lane is free,
   * that its lease has expired, or that `instance` already holds it. Each lease increases the
   * fence. All times are from the store's clock. Returns null if another instance holds the lane.
   */
  abstract lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null>;
  /** Renews a lease. Returns false if the fence is no longer current. */
  abstract renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean>;
  /** Releases a lease. Does nothing if the fence is no longer current. */
  abstract unlease(address: Felt, instance: string, fence: bigint): Promise<void>;
  /**
   * Gives the lane to the instance `to` for `ttlMs`, under a new fence. The lane is not free in
   * between. Returns false if the fence is no longer current, or if `to` no longer announces the
   * lane: an instance that stops withdraws its announcements.
   */
  abstract handOver(
    address: Felt,
    instance: string,
    fence: bigint,
    to: string,
    ttlMs: number,
  ): Promise<boolean>;
  /**
   * Announces for `ttlMs` that the instance is able to send on exactly these lanes, and returns
   * every lane with its holder and its candidates, ordered by address. All times are from the
   * store's clock.
   */
  abstract announce(
    instance: string,
    lanes: readonly Felt[],
    ttlMs: number,
  ): Promise<readonly LaneShare[]>;
  /**
   * Reserves waiting attempts for `ttlMs`, so that only one instance hashes and signs their calls.
   * Returns the ids of the reserved attempts; the others are reserved by another instance. A
   * reservation is no condition of any write: it only avoids work that would be done twice. With a
   * duration of 0, the instance's own reservation ends.
   */
  abstract reserve(
    attemptIds: readonly string[],
    instance: string,
    ttlMs: number,
  ): Promise<readonly string[]>;

  /**
   * Redacts private data that is no longer needed, and returns the number of redacted attempts.
   *
   * - Signed bytes of nonces whose settlement is final.
   * - Calldata of attempts whose end is final and that can't be sent again.
   * - Calldata and signed bytes of attempts that ended longer than `retentionMs` ago by the store's
   *   clock.
   */
  abstract redact(retentionMs: number): Promise<number>;
}
