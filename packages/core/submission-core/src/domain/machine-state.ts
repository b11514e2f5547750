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

/** Which rows an event depends on. */
export interface RowScope {
  readonly key: string | null;
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
}

/** What a decision depends on beside the rows that its scope names. */
export interface ReadScope {
  /** Every lane of the ledger, that of the scope among them, and the store's time. */
  readonly lanes: boolean;
  /**
   * `rows`: the attempts with a call under the nonce; `histories`: these, and what their other rows
   * say. What is not asked for is as if there were none.
   */
  readonly callers: 'none' | 'rows' | 'histories';
  readonly liveAbove: boolean;
}

/**
 * The chain has more of some lane than the ledger: no call is sent and nothing ends until that is
 * made up for.
 */
export function isBehind(lanes: readonly Lane[]): boolean {
  return lanes.some(({ quarantine }) => quarantine?.cause === 'behind');
}

/** A transaction of an attempt that consumed a nonce. */
export interface Executed
  extends Pick<Settlement, 'hash' | 'feeFri'>, Pick<NonceRow, 'lane' | 'nonce'> {
  readonly execution: ExecutionStatus;
}

/** An attempt with a call under the nonce in question, and what its other rows say. */
export interface Caller {
  readonly attempt: Attempt;
  /** No attempt of its key has a higher number. */
  readonly isLast: boolean;
  /** As `lastAttemptIsUnfinal`, of this attempt. */
  readonly isUnfinal: boolean;
  /**
   * A transaction of it that consumed another nonce, if there is one; one that SUCCEEDED before one
   * that REVERTED.
   */
  readonly executedBy: Executed | null;
}

/** The rows in question, read inside the transaction that will write them. */
export interface MachineState {
  /** The store's clock; 0 for an event that needs no lanes. */
  readonly nowMs: number;
  /**
   * The attempt of `scope.key` that counts: the live one, else one that succeeded, else the last.
   */
  readonly lastAttempt: Attempt | null;
  /**
   * A transaction of the last attempt could still land beside another one: it was not refused, and
   * its nonce is settled and not final, or is open and held by another.
   */
  readonly lastAttemptIsUnfinal: boolean;
  /** As `Caller.executedBy`, of the last attempt. */
  readonly lastAttemptExecutedBy: Executed | null;
  /** The lane of `scope.lane`. */
  readonly lane: Lane | null;
  /** Every lane of the ledger. */
  readonly lanes: readonly Lane[];
  /** Lanes with an open nonce below the end of their quarantine; only read for `end_quarantine`. */
  readonly unconsumed: readonly Felt[];
  readonly nonce: NonceRow | null;
  /** Every attempt with a call under the nonce, its owner among them. */
  readonly callers: readonly Caller[];
  /** All transactions stored under the nonce, those that can't land included, oldest first. */
  readonly transactions: readonly TransactionRow[];
  /** A transaction that could land stands under a higher open nonce of the lane. */
  readonly liveAbove: boolean;
}

/** Rows to insert or to put in the place of the ones with the same primary key. */
export interface RowChanges {
  readonly attempts?: readonly Attempt[];
  readonly nonces?: readonly NonceRow[];
  readonly transactions?: readonly TransactionRow[];
  /** Next nonce and quarantine; commands write neither lease nor role nor pause. */
  readonly lanes?: readonly Lane[];
  readonly calldata?: { readonly id: string; readonly calldata: Felts };
  readonly signed?: { readonly hash: Felt; readonly envelope: SignedEnvelope };
}

/** What of a write other parts of the process may remember, as it was written. */
export type WrittenRows = Pick<RowChanges, 'attempts' | 'nonces' | 'transactions'>;

/** Why an event changed nothing. */
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

/** What to read before deciding on `event`. */
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
 * What `decide` asks of the rows around those of the scope, and its result of the nonce's holder: a
 * ledger reads no more than this, because each read is made under the locks of a write.
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
    // It names no fence, and writes no time.
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

/** The attempt that holds the nonce of a view, with what its other rows say. */
export function holderOf({
  nonce,
  callers,
}: Pick<MachineState, 'nonce' | 'callers'>): Caller | null {
  return callers.find(({ attempt }) => sameRef(nonce?.owner ?? null, refOf(attempt))) ?? null;
}

/** The attempt that holds the nonce of a view. */
export function ownerOf(view: Pick<MachineState, 'nonce' | 'callers'>): Attempt | null {
  return holderOf(view)?.attempt ?? null;
}
