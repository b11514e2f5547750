import type { JourneyError } from '../journeys/journey-error.js';
import type { ProvingProgress } from '../prover.js';

/** What happens to a withdrawal. The last three end it. */
export type WithdrawalEvent =
  | { readonly type: 'proving'; readonly progress: ProvingProgress }
  /** The proof goes to a relayer (its address); from here on it may land. */
  | { readonly type: 'posting'; readonly relayer: string }
  /** The relayer has it, and signs a transaction; the hash is null before that. */
  | {
      readonly type: 'accepted';
      readonly relayer: string;
      /** The submission's id at that relayer. */
      readonly submission: string;
      readonly transactionHash: string | null;
    }
  /** In a block, which may still be undone: so the relayer says. */
  | { readonly type: 'included'; readonly transactionHash: string }
  /** Nothing is on its way; tried again by itself. */
  | { readonly type: 'waiting'; readonly error: JourneyError }
  /** Whether it is or will be on chain is not known; asked again by itself. */
  | { readonly type: 'unknown'; readonly error: JourneyError }
  /** The recipient is paid, in a block that is accepted on L2: so the wallet's own node shows. */
  | { readonly type: 'settled'; readonly transactionHash: string }
  /** Nothing is on its way: begin it again with another quote or a higher `maxFee`. */
  | { readonly type: 'needs-new-quote'; readonly error: JourneyError }
  /** Nothing of it is or can be on chain, unless `error.transactionHash` names what is. */
  | { readonly type: 'failed'; readonly error: JourneyError };
