import type { JourneyError } from '../journeys/journey-error.js';
import type { Batch } from '../pools/pool-view.js';
import type { RequestEvent } from '../relayers/request-events.js';
import type { ShownApproval } from './deposit-entry.js';

/** Event of a deposit. The last two event types end the deposit. */
export type DepositEvent =
  /**
   * The account must approve the amount for the pool. After the approval was sent, this event is
   * emitted a second time with the transaction hash.
   */
  | { readonly type: 'approving'; readonly transactionHash: string | null }
  /**
   * The relayer waits until it sees the account's approval on chain. This is part of an ordinary
   * deposit. The hash is null if the account may not have sent the approval.
   */
  | { readonly type: 'approval-pending'; readonly transactionHash: string | null }
  /** The account has to sign the consent: the pool may collect the amount for this note. */
  | { readonly type: 'signing' }
  /** Event of the posted consent. Once it is posted, the pool may collect the amount, once. */
  | RequestEvent
  /**
   * No transaction is in flight; the deposit retries automatically. `error.retryAt` is the time
   * from which the relayer may accept it, if known.
   */
  | { readonly type: 'waiting'; readonly error: JourneyError }
  /** The pool has the note, which waits for its batch. A reader that stops here loses nothing. */
  | { readonly type: 'deposited'; readonly leafIndex: number }
  /** The note can be withdrawn. */
  | { readonly type: 'active'; readonly leafIndex: number; readonly batch: Batch }
  /** No payment was made, and the signed consents no longer allow one. */
  | {
      readonly type: 'failed';
      readonly error: JourneyError;
      /**
       * True if the chain shows an allowance of the account for the pool: start the deposit again,
       * or have the account execute a `revocation`. `unknown` if the chain can't be read or a
       * requested approval may still land: resume the deposit later to read the chain again.
       */
      readonly isApproved: ShownApproval;
    };
