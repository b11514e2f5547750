import type { Felt, Felts } from '@sotto/kernel';
import type { SubmissionCommand } from './events.js';
import type { SignedEnvelope } from './signed-envelope.js';
import {
  refOf,
  sameRef,
  type Attempt,
  type ExecutionStatus,
  type Lane,
  type NonceRow,
  type Settlement,
  type TransactionRow,
} from './rows.js';

/** Key, lane and nonce of the rows that a command depends on. */
export interface RowScope {
  readonly key: string | null;
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
}

/** Rows that a decision needs in addition to the rows of its {@link RowScope}. */
export interface ReadScope {
  /**
   * True to read all lanes of the ledger, including the lane of the scope, and the store's time.
   */
  readonly lanes: boolean;
  /**
   * `rows`: read the attempts with a call under the nonce. `histories`: also read these attempts'
   * rows under other nonces. The decision treats rows that are not read as absent.
   */
  readonly callers: 'none' | 'rows' | 'histories';
  readonly liveAbove: boolean;
}

/**
 * True if the chain has transactions of a lane that the ledger lacks. Until the ledger has caught
 * up, no call is sent and no attempt ends.
 */
export function isBehind(lanes: readonly Lane[]): boolean {
  return lanes.some(({ quarantine }) => quarantine?.cause === 'behind');
}

/** Transaction of an attempt that has consumed a nonce. */
export interface Executed
  extends Pick<Settlement, 'hash' | 'feeFri'>, Pick<NonceRow, 'lane' | 'nonce'> {
  readonly execution: ExecutionStatus;
}

/**
 * Attempt that has a call under the nonce of the command, with facts from the attempt's other rows.
 */
export interface Caller {
  readonly attempt: Attempt;
  /** True if the attempt has the highest number of its key. */
  readonly isLast: boolean;
  /** Same meaning as `lastAttemptIsUnfinal`, for this attempt. */
  readonly isUnfinal: boolean;
  /**
   * Transaction of the attempt that consumed another nonce; null if no transaction did. A SUCCEEDED
   * transaction has precedence over a REVERTED transaction.
   */
  readonly executedBy: Executed | null;
}

/** Rows that a decision depends on, read in the database transaction that writes. */
export interface MachineState {
  /** Time of the store, in ms; 0 if the command does not read the lanes. */
  readonly nowMs: number;
  /**
   * Attempt of `scope.key` that matters for the decision: the live attempt, otherwise a succeeded
   * one, otherwise the last one.
   */
  readonly lastAttempt: Attempt | null;
  /**
   * True if a transaction of the last attempt could still land in addition to a new transaction.
   * Such a transaction was not refused, and its nonce is either settled but not final, or open and
   * held by another attempt.
   */
  readonly lastAttemptIsUnfinal: boolean;
  /** Same meaning as `Caller.executedBy`, for the last attempt. */
  readonly lastAttemptExecutedBy: Executed | null;
  /** Lane with the address `scope.lane`. */
  readonly lane: Lane | null;
  /** All lanes of the ledger. */
  readonly lanes: readonly Lane[];
  /** Lanes with an open nonce below the end of their quarantine. Read only for `end_quarantine`. */
  readonly unconsumed: readonly Felt[];
  readonly nonce: NonceRow | null;
  /** All attempts that have a call under the nonce, including the attempt that holds the nonce. */
  readonly callers: readonly Caller[];
  /** All transactions stored under the nonce, oldest first, including those that can't land. */
  readonly transactions: readonly TransactionRow[];
  /** True if a higher open nonce of the lane has a transaction that could land. */
  readonly liveAbove: boolean;
}

/** Rows to write. Each row is inserted, or replaces the row with the same primary key. */
export interface RowChanges {
  readonly attempts?: readonly Attempt[];
  readonly nonces?: readonly NonceRow[];
  readonly transactions?: readonly TransactionRow[];
  /**
   * Lane rows with a changed next nonce or quarantine. Commands change neither lease nor role nor
   * pause.
   */
  readonly lanes?: readonly Lane[];
  readonly calldata?: { readonly id: string; readonly calldata: Felts };
  readonly signed?: { readonly hash: Felt; readonly envelope: SignedEnvelope };
}

/** Rows that a command has written and that other components of the process may cache. */
export type WrittenRows = Pick<RowChanges, 'attempts' | 'nonces' | 'transactions'>;

/** Reason why a command was rejected and changed nothing. */
export type RejectionReason =
  | 'already_live'
  | 'already_succeeded'
  | 'not_final'
  | 'stale_fence'
  | 'stale_version'
  | 'attempt_moved_on'
  | 'nonce_taken'
  | 'nonce_beyond_window'
  | 'nonce_settled'
  | 'not_settled_so'
  | 'transaction_gone'
  | 'proves_nothing'
  | 'price_too_low'
  | 'no_gap'
  | 'too_early'
  | 'lane_quarantined'
  | 'lane_paused'
  | 'ledger_behind'
  | 'known_already'
  | 'other_request'
  | 'unknown_row';

export type Decision =
  | { readonly applied: true; readonly changes: RowChanges }
  | { readonly applied: false; readonly because: RejectionReason };

/** Returns the rows to read before deciding on `event`. */
export function scopeOf(event: SubmissionCommand): RowScope {
  switch (event.type) {
    case 'request':
      return { key: event.submission.key, lane: null, nonce: null };
    case 'renew':
    case 'end_waiting':
      return { key: event.attempt.key, lane: null, nonce: null };
    case 'store':
      return { key: event.attempt?.key ?? null, lane: event.lane, nonce: event.nonce };
    case 'adopt':
      return { key: event.submission.key, lane: event.lane, nonce: event.nonce };
    case 'end_quarantine':
      return { key: null, lane: null, nonce: null };
    case 'introduce':
    case 'quarantine':
      return { key: null, lane: event.lane, nonce: null };
    case 'claim':
    case 'refusal':
    case 'settle':
    case 'finalize':
    case 'reopen':
    case 'import':
    case 'observe':
      return { key: null, lane: event.lane, nonce: event.nonce };
  }
}

/**
 * Returns the additional rows that `decide` needs. A ledger reads no other rows, because each read
 * is made under the locks of a write.
 */
export function readsOf(event: SubmissionCommand): ReadScope {
  switch (event.type) {
    case 'refusal':
    case 'settle':
    case 'reopen':
      return { lanes: true, callers: 'histories', liveAbove: false };
    case 'claim':
    case 'finalize':
    case 'import':
      return { lanes: true, callers: 'rows', liveAbove: false };
    // An `observe` command contains no fence and writes no time, so it needs no lanes.
    case 'observe':
      return { lanes: false, callers: 'rows', liveAbove: false };
    case 'store': {
      const isNoop = event.attempt === null;
      return { lanes: true, callers: isNoop ? 'rows' : 'none', liveAbove: isNoop };
    }
    case 'adopt':
    case 'request':
    case 'renew':
    case 'end_waiting':
    case 'end_quarantine':
    case 'introduce':
    case 'quarantine':
      return { lanes: true, callers: 'none', liveAbove: false };
  }
}

/**
 * Returns the attempt that holds the nonce of the command, with facts from the attempt's other
 * rows; null for a nonce without an owner.
 */
export function holderOf({
  nonce,
  callers,
}: Pick<MachineState, 'nonce' | 'callers'>): Caller | null {
  return callers.find(({ attempt }) => sameRef(nonce?.owner ?? null, refOf(attempt))) ?? null;
}

/** Returns the attempt that holds the nonce of the command; null for a nonce without an owner. */
export function ownerOf(view: Pick<MachineState, 'nonce' | 'callers'>): Attempt | null {
  return holderOf(view)?.attempt ?? null;
}
