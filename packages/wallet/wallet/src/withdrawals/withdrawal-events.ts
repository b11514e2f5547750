import type { JourneyError } from '../journeys/journey-error.js';
import type { ProvingProgress } from '../prover.js';
import type { RequestEvent } from '../relayers/request-events.js';

/** Event of a withdrawal. The last three event types end the withdrawal. */
export type WithdrawalEvent =
  | { readonly type: 'proving'; readonly progress: ProvingProgress }
  /** Event of the posted proof. */
  | RequestEvent
  /** No transaction is in flight; retried automatically. */
  | { readonly type: 'waiting'; readonly error: JourneyError }
  /** The recipient is paid in a block accepted on L2, as read from the wallet's node. */
  | { readonly type: 'settled'; readonly transactionHash: string }
  /** No transaction is in flight. Start again with another quote or a higher `maxFee`. */
  | { readonly type: 'needs-new-quote'; readonly error: JourneyError }
  /**
   * The withdrawal is not on chain and can't land. `error.transactionHash` names the transaction
   * that spent the note, if any.
   */
  | { readonly type: 'failed'; readonly error: JourneyError };
