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
 * What became of an event, and the attempt it was about as it stands after the commit: for an event
 * that names a key its last attempt, for one that names a nonce the attempt that the event changed,
 * else the one that held the nonce (null without one).
 */
export type CommandResult =
  | {
      readonly applied: true;
      readonly attempt: Attempt | null;
      /** The nonce's row as written, where the event changed one. */
      readonly nonce: NonceRow | null;
      readonly written: WrittenRows;
    }
  | {
      readonly applied: false;
      readonly because: RejectionReason;
      readonly attempt: Attempt | null;
    };

/**
 * The chain whose transactions a ledger holds. The first block distinguishes two chains of one name
 * (a development chain started again).
 */
export interface ChainIdentity {
  readonly chainId: Felt;
  /** Hash of block 0. */
  readonly genesisHash: Felt;
}

/** What an answer is made of. */
export interface AttemptWithTransactions {
  readonly attempt: Attempt;
  readonly transactions: readonly TransactionRow[];
}

/** What the ledger knows of itself. */
export interface LedgerState {
  /** Null for a ledger that has never met a chain. */
  readonly chain: ChainIdentity | null;
  /** Highest block that was noted as seen by {@link Ledger.noteBlock}; null before the first. */
  readonly lastBlock: number | null;
  /** The store's clock, by which all ages in the rows are measured. */
  readonly nowMs: number;
  /**
   * Time by the store's clock at which this ledger was first opened as a possible copy: rows of a
   * ledger that was used later may be missing. Null if nothing indicates a copy.
   */
  readonly possibleCopySinceMs: number | null;
  /** Recorded refusals that a block disproved: with this provider none is believed any more. */
  readonly disprovedRefusals: number;
  readonly lanes: readonly Lane[];
}

/** Another ledger has sent what this one lacks, or may have: nothing is sent and nothing ends. */
export function mayLackRows({
  lanes,
  possibleCopySinceMs,
}: Pick<LedgerState, 'lanes' | 'possibleCopySinceMs'>): boolean {
  return possibleCopySinceMs !== null || isBehind(lanes);
}

/**
 * The durable rows of the submission machine.
 *
 * `record` is one transaction: it reads the rows of `scopeOf(event)`, asks `decide`, writes what
 * that returns and commits before it resolves; concurrent records see each other's rows or run
 * again. The database itself holds the constraints of the transition table (unique key + attempt,
 * one live attempt per key, unique lane + nonce, one live attempt per nonce, unique lane + nonce +
 * price step + kind). Every time in the rows comes from its clock, not the caller's. Rejects with
 * {@link LedgerUnavailable} when the store can't answer.
 */
export abstract class Ledger {
  abstract apply(event: SubmissionCommand): Promise<CommandResult>;

  abstract attemptById(id: string): Promise<Attempt | null>;
  /** The attempt of a key that counts: the live one, else one that succeeded, else the last. */
  abstract lastAttempt(key: string): Promise<Attempt | null>;
  abstract attempt(ref: AttemptRef): Promise<Attempt | null>;
  /** Attempts in state `accepted` for lanes of this role, oldest first. */
  abstract waiting(role: LaneRole, limit: number): Promise<readonly Attempt[]>;
  /** How many attempts in state `accepted` wait for lanes of this role. */
  abstract countWaiting(role: LaneRole): Promise<number>;
  /** Open nonces of a lane, lowest first. */
  abstract openNonces(lane: Felt): Promise<readonly OpenNonce[]>;
  /**
   * Settled nonces of a lane whose block can still be undone, by the height of that block; those
   * without a block are left out.
   */
  abstract unfinalNonces(
    lane: Felt,
    order: 'newest' | 'oldest',
    limit: number,
  ): Promise<readonly NonceRow[]>;
  /** Settled nonces of a lane that are final and name a block, the highest nonce first. */
  abstract finalNonces(lane: Felt, limit: number): Promise<readonly NonceRow[]>;
  /** An attempt and its transactions, oldest first, as they stand at one moment. */
  abstract attemptWithTransactions(id: string): Promise<AttemptWithTransactions | null>;
  /** Transactions of an attempt, oldest first. */
  abstract transactionsOf(ref: AttemptRef): Promise<readonly TransactionRow[]>;
  /**
   * The block that settled the nonce of an attempt, while the attempt holds that nonce; null while
   * none has, or no block is known.
   */
  abstract inclusionOf(ref: AttemptRef): Promise<BlockRef | null>;
  /** Calldata of an attempt; null once wiped. */
  abstract calldata(id: string): Promise<Felts | null>;
  /** What the bytes of a stored transaction are made of; null once wiped. */
  abstract signedParts(hash: Felt): Promise<SignedParts | null>;

  /** One cheap read, also to see whether the store answers. */
  abstract state(): Promise<LedgerState>;
  /**
   * Binds a new ledger to its chain; nothing happens when it is bound to this very one.
   * Rejects with {@link LedgerOfAnotherChain}.
   */
  abstract bindChain(chain: ChainIdentity): Promise<void>;
  /**
   * Notes that the chain had reached this block: where a ledger that is restored from a copy has to
   * read on. Never lowered.
   */
  abstract noteBlock(number: number): Promise<void>;
  /**
   * Notes that the ledger contains everything that the lost one can have sent. Does nothing if the
   * ledger was marked again meanwhile.
   * @param sinceMs mark that was judged
   */
  abstract clearPossibleCopy(sinceMs: number): Promise<void>;
  /**
   * Stops a lane from taking calls until it is resumed (null); what it has in flight is followed.
   * False for an unknown lane.
   */
  abstract pauseLane(address: Felt, reason: string | null): Promise<boolean>;

  /** Makes sure that the lane has a row. */
  abstract registerLane(address: Felt, role: LaneRole): Promise<void>;
  /**
   * G: takes the lane if it is free, its lease has run out, or `instance` holds it already. Every
   * lease raises the fence. Time is the store's own. Null when another instance holds it.
   */
  abstract lease(address: Felt, instance: string, ttlMs: number): Promise<Lane | null>;
  /** Prolongs a lease; false when the fence is no longer current. */
  abstract renew(address: Felt, instance: string, fence: bigint, ttlMs: number): Promise<boolean>;
  /** Gives a lease back; nothing happens when the fence is no longer current. */
  abstract unlease(address: Felt, instance: string, fence: bigint): Promise<void>;

  /**
   * Removes what has served: signed bytes of nonces whose end is final, calldata of attempts whose
   * end is and of which nothing could be sent again, and both of whatever ended longer than
   * `retentionMs` ago by the store's clock. Returns how many attempts were wiped.
   */
  abstract redact(retentionMs: number): Promise<number>;
}
