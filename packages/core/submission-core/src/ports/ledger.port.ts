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
import { isBehind, type RejectionReason, type WrittenRows } from '../domain/machine-state.js';
import type { SignedParts } from '../domain/signed-envelope.js';

/**
 * Result of an event, with the attempt it was about after the commit. An event that names a key
 * returns its last attempt. One that names a nonce returns the attempt that the event changed, or
 * else the nonce's holder (null without one).
 */
export type CommandResult =
  | {
      readonly applied: true;
      readonly attempt: Attempt | null;
      /** Row of the nonce as written, if the event changed one. */
      readonly nonce: NonceRow | null;
      readonly written: WrittenRows;
    }
  | {
      readonly applied: false;
      readonly because: RejectionReason;
      readonly attempt: Attempt | null;
    };

/**
 * Chain whose transactions a ledger holds. The first block distinguishes two chains of one name (a
 * restarted development chain).
 */
export interface ChainIdentity {
  readonly chainId: Felt;
  /** Hash of block 0. */
  readonly genesisHash: Felt;
}

/** Rows that an answer is made from. */
export interface AttemptWithTransactions {
  readonly attempt: Attempt;
  readonly transactions: readonly TransactionRow[];
}

/** Ledger's own state. */
export interface LedgerState {
  /** Null for a ledger that was never bound to a chain. */
  readonly chain: ChainIdentity | null;
  /** Highest block that was noted as seen by {@link Ledger.noteBlock}; null before the first. */
  readonly lastBlock: number | null;
  /** Store's clock, by which all ages in the rows are measured. */
  readonly nowMs: number;
  /**
   * Time by the store's clock at which this ledger was first opened as a possible copy: rows of a
   * ledger that was used later may be missing. Null if nothing indicates a copy.
   */
  readonly possibleCopySinceMs: number | null;
  /**
   * Number of recorded refusals that a block disproved. If there is one, no refusal of this
   * provider is believed any more.
   */
  readonly disprovedRefusals: number;
  readonly lanes: readonly Lane[];
}

/**
 * True if another ledger has sent transactions that this one lacks, or may have. Then no call is
 * sent and no attempt ends.
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
 * `apply` is one transaction: it reads the rows of `scopeOf(event)`, calls `decide`, writes the
 * result and commits before it resolves. Concurrent commands see each other's rows or run again.
 *
 * The database itself enforces the constraints of the transition table: unique key + attempt, one
 * live attempt per key, and unique lane + nonce. Likewise one live attempt per nonce, and unique
 * lane + nonce + price step + kind. Every time in the rows comes from its clock, not the caller's.
 * Rejects with {@link LedgerUnavailable} if the store can't answer.
 */
export abstract class Ledger {
  abstract apply(event: SubmissionCommand): Promise<CommandResult>;

  abstract attemptById(id: string): Promise<Attempt | null>;
  /**
   * Returns the decisive attempt of a key: the live one, else one that succeeded, else the last.
   */
  abstract lastAttempt(key: string): Promise<Attempt | null>;
  abstract attempt(ref: AttemptRef): Promise<Attempt | null>;
  /** Returns attempts in state `accepted` for lanes of this role, oldest first. */
  abstract waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]>;
  /** Number of attempts in state `accepted` that wait for lanes of this role. */
  abstract countWaiting(role: LaneRole): Promise<number>;
  /** Returns the open nonces of a lane, lowest first. */
  abstract openNonces(lane: Felt): Promise<readonly OpenNonce[]>;
  /**
   * Returns settled nonces of a lane whose block can still be undone, by the height of that block.
   * Nonces without a block are left out.
   */
  abstract unfinalNonces(
    lane: Felt,
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly NonceRow[]>;
  /** Returns settled nonces of a lane that are final and name a block, the highest nonce first. */
  abstract finalNonces(lane: Felt, limit: number): Promise<readonly NonceRow[]>;
  /** Returns an attempt and its transactions, oldest first, as one snapshot. */
  abstract attemptWithTransactions(id: string): Promise<AttemptWithTransactions | null>;
  /** Returns the transactions of an attempt, oldest first. */
  abstract transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]>;
  /**
   * Returns the block that settled the nonce of an attempt, while the attempt holds that nonce;
   * null if none has, or no block is known.
   */
  abstract inclusionOf(ref: AttemptRef): Promise<BlockRef | null>;
  /** Returns the calldata of an attempt; null once redacted. */
  abstract calldata(id: string): Promise<Felts | null>;
  /** Returns the parts of a stored transaction's bytes; null once redacted. */
  abstract signedParts(hash: Felt): Promise<SignedParts | null>;

  /** Reads the ledger's state. Cheap enough to check whether the store answers. */
  abstract state(): Promise<LedgerState>;
  /**
   * Binds a new ledger to its chain. Does nothing if it is bound to the same chain already.
   * @throws LedgerOfAnotherChain
   */
  abstract bindChain(chain: ChainIdentity): Promise<void>;
  /**
   * Notes that the chain had reached this block, from which a restored ledger has to read on. Never
   * lowered.
   */
  abstract noteBlock(number: number): Promise<void>;
  /**
   * Notes that the ledger contains everything that the lost one can have sent. Does nothing if the
   * ledger was marked again since.
   * @param sinceMs mark that was judged
   */
  abstract clearPossibleCopy(sinceMs: number): Promise<void>;
  /**
   * Stops a lane from accepting calls until it is resumed (null), while its transactions in flight
   * are followed. Returns false for an unknown lane.
   */
  abstract pauseLane(address: Felt, reason: string | null): Promise<boolean>;

  /** Makes sure that the lane has a row. */
  abstract registerLane(address: Felt, role: LaneRole): Promise<void>;
  /**
   * G: leases the lane if it is free, its lease has expired, or `instance` holds it already. Every
   * lease raises the fence. Time is the store's own. Returns null if another instance holds it.
   */
  abstract lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null>;
  /** Renews a lease; returns false if the fence is no longer current. */
  abstract renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean>;
  /** Releases a lease. Does nothing if the fence is no longer current. */
  abstract unlease(address: Felt, instance: string, fence: bigint): Promise<void>;

  /**
   * Redacts private data that is no longer needed, and returns the number of redacted attempts.
   *
   * - Signed bytes of nonces whose end is final.
   * - Calldata of attempts whose end is final and that can't be sent again.
   * - Both, for attempts that ended longer than `retentionMs` ago by the store's clock.
   */
  abstract redact(retentionMs: number): Promise<number>;
}
