import type { Felt, Felts } from '@sotto/kernel';
import type { SubmissionEvent } from './events.js';
import type { Attempt, Lane, NonceRow, TransactionRow } from './rows.js';

/** Which rows an event depends on. */
export interface Scope {
  readonly key: string | null;
  readonly lane: Felt | null;
  readonly nonce: bigint | null;
}

/** The rows in question, read inside the transaction that will write them. */
export interface View {
  /** Last attempt of `scope.key`. */
  readonly lastAttempt: Attempt | null;
  readonly lane: Lane | null;
  readonly nonce: NonceRow | null;
  /** The attempt that holds the nonce. */
  readonly owner: Attempt | null;
  /** All transactions stored under the nonce, dead ones included, oldest first. */
  readonly transactions: readonly TransactionRow[];
  /** Highest nonce row of the lane. */
  readonly highestNonce: bigint | null;
  /** True when a transaction that is not dead stands under a higher open nonce of the lane. */
  readonly liveAbove: boolean;
}

/** Rows to insert or to put in the place of the ones with the same primary key. */
export interface Writes {
  readonly attempts?: readonly Attempt[];
  readonly nonces?: readonly NonceRow[];
  readonly transactions?: readonly TransactionRow[];
  readonly calldata?: { readonly id: string; readonly calldata: Felts };
  readonly signed?: { readonly hash: Felt; readonly bytes: Uint8Array };
}

/** Why an event changed nothing. */
export type StoodBack =
  | 'already_live'
  | 'already_succeeded'
  | 'stale_fence'
  | 'attempt_moved_on'
  | 'nonce_taken'
  | 'nonce_settled'
  | 'transaction_dead'
  | 'proves_nothing'
  | 'already_sent'
  | 'price_too_low'
  | 'noop_exists'
  | 'no_hole'
  | 'unknown_row';

export type Decision = { readonly written: true; readonly writes: Writes } | { readonly written: false; readonly because: StoodBack };

/** What to read before deciding on `event`. */
export function scopeOf(event: SubmissionEvent): Scope {
  switch (event.type) {
    case 'request':
      return { key: event.submission.key, lane: null, nonce: null };
    case 'end_waiting':
      return { key: event.attempt.key, lane: null, nonce: null };
    case 'prepare':
      return { key: event.attempt.key, lane: event.lane, nonce: event.nonce };
    case 'claim':
    case 'refusal':
    case 'release':
    case 'replace':
    case 'cancel':
    case 'fill':
    case 'settle':
    case 'catch_up':
    case 'observe':
      return { key: null, lane: event.lane, nonce: event.nonce };
  }
}
