import type { JourneyError } from '../journeys/journey-error.js';
import type { ProvingProgress } from '../prover.js';
import type { RequestEvent } from '../relayers/request-events.js';

/** What happens to a withdrawal. The last three end it. */
export type WithdrawalEvent =
  | { readonly type: 'proving'; readonly progress: ProvingProgress }
  /** What is posted is the proof. */
  | RequestEvent
  /** Nothing is on its way; tried again by itself. */
  | { readonly type: 'waiting'; readonly error: JourneyError }
  /** The recipient is paid, in a block that is accepted on L2: so the wallet's own node shows. */
  | { readonly type: 'settled'; readonly transactionHash: string }
  /** Nothing is on its way: begin it again with another quote or a higher `maxFee`. */
  | { readonly type: 'needs-new-quote'; readonly error: JourneyError }
  /** Nothing of it is or can be on chain, unless `error.transactionHash` names what is. */
  | { readonly type: 'failed'; readonly error: JourneyError };
