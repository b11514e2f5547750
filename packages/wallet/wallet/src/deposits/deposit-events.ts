import type { JourneyError } from '../journeys/journey-error.js';
import type { Batch } from '../pools/pool-view.js';
import type { RequestEvent } from '../relayers/request-events.js';

/** What happens to a deposit. The last two end it. */
export type DepositEvent =
  /** The account is asked to approve the pool for the amount; then with the hash of that. */
  | { readonly type: 'approving'; readonly transactionHash: string | null }
  /** The account is asked to sign that the pool may take the amount for this note. */
  | { readonly type: 'signing' }
  /** What is posted is the consent; from then on the amount may be taken, once. */
  | RequestEvent
  /** Nothing is on its way; tried again by itself. */
  | { readonly type: 'waiting'; readonly error: JourneyError }
  /** The pool has the note, which waits for its batch. Who stops here loses nothing. */
  | { readonly type: 'deposited'; readonly leafIndex: number }
  /** The note can be withdrawn. */
  | { readonly type: 'active'; readonly leafIndex: number; readonly batch: Batch }
  /** Nothing was taken, and nothing can be with the consents that were signed. */
  | {
      readonly type: 'failed';
      readonly error: JourneyError;
      /**
       * Whether an approval of the account may still stand: begin the deposit again, or have the
       * account execute a `revocation`.
       */
      readonly isApproved: boolean;
    };
