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

/** Rows that an event depends on. */
export interface RowScope {
  readonly key: string | null;
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
}

/** Further rows that a decision depends on, in addition to those of its scope. */
export interface ReadScope {
  /** All lanes of the ledger, including that of the scope, and the store's time. */
  readonly lanes: boolean;
  /**
   * `rows`: the attempts with a call under the nonce. `histories`: these with their other rows.
   * Rows that are not requested count as absent.
   */
  readonly callers: 'none' | 'rows' | 'histories';
  readonly liveAbove: boolean;
}

/**
 * True if the chain has more of some lane than the ledger. No call is sent and no attempt ends
 * until the ledger has caught up.
 */
export function isBehind(lanes: readonly Lane[]): boolean {
  return lanes.some(({ quarantine }) => quarantine?.cause === 'behind');
}

/** Transaction of an attempt that consumed a nonce. */
export interface Executed
  extends Pick<Settlement, 'hash' | 'feeFri'>, Pick<NonceRow, 'lane' | 'nonce'> {
  readonly execution: ExecutionStatus;
}

/** Attempt with a call under the nonce in question, with facts from its other rows. */
export interface Caller {
  readonly attempt: Attempt;
  /** True if no attempt of its key has a higher number. */
  readonly isLast: boolean;
  /** Same as `lastAttemptIsUnfinal`, for this attempt. */
  readonly isUnfinal: boolean;
  /**
   * Transaction of it that consumed another nonce, or null. A SUCCEEDED one has precedence over a
   * REVERTED one.
   */
  readonly executedBy: Executed | null;
}

/** Rows in question, read inside the transaction that will write them. */
export interface MachineState {
  /** Store's clock; 0 for an event that needs no lanes. */
  readonly nowMs: number;
  /** Decisive attempt of `scope.key`: the live one, else one that succeeded, else the last. */
  readonly lastAttempt: Attempt | null;
  /**
   * True if a transaction of the last attempt could still land in addition to a new one. Such a
   * transaction was not refused, and its nonce is settled but not final, or open and held by
   * another attempt.
   */
  readonly lastAttemptIsUnfinal: boolean;
  /** Same as `Caller.executedBy`, for the last attempt. */
  readonly lastAttemptExecutedBy: Executed | null;
  /** Lane named by `scope.lane`. */
  readonly lane: Lane | null;
  /** All lanes of the ledger. */
  readonly lanes: readonly Lane[];
  /** Lanes with an open nonce below the end of their quarantine. Read only for `end_quarantine`. */
  readonly unconsumed: readonly Felt[];
  readonly nonce: NonceRow | null;
  /** All attempts with a call under the nonce, including its owner. */
  readonly callers: readonly Caller[];
  /** All transactions stored under the nonce, oldest first, including those that can't land. */
  readonly transactions: readonly TransactionRow[];
  /** True if a higher open nonce of the lane has a transaction that could land. */
  readonly liveAbove: boolean;
}

/** Rows to insert, or to replace those with the same primary key. */
export interface RowChanges {
  readonly attempts?: readonly Attempt[];
  readonly nonces?: readonly NonceRow[];
  readonly transactions?: readonly TransactionRow[];
  /** Next nonce and quarantine. Commands write neither lease nor role nor pause. */
  readonly lanes?: readonly Lane[];
  readonly calldata?: { readonly id: string; readonly calldata: Felts };
  readonly signed?: { readonly hash: Felt; readonly envelope: SignedEnvelope };
}

/** Written rows that other parts of the process may keep in memory. */
export type WrittenRows = Pick<RowChanges, 'attempts' | 'nonces' | 'transactions'>;

/** Reason why an event changed nothing. */
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
 * Returns the further rows that `decide` needs. A ledger reads no more than these, because each
 * read is made under the locks of a write.
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
    // This event names no fence, and writes no time.
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

/** Attempt that holds the nonce of a view, with facts from its other rows. */
export function holderOf({
  nonce,
  callers,
}: Pick<MachineState, 'nonce' | 'callers'>): Caller | null {
  return callers.find(({ attempt }) => sameRef(nonce?.owner ?? null, refOf(attempt))) ?? null;
}

/** Attempt that holds the nonce of a view. */
export function ownerOf(view: Pick<MachineState, 'nonce' | 'callers'>): Attempt | null {
  return holderOf(view)?.attempt ?? null;
}
