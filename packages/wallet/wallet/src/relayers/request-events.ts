import type { JourneyError } from '../journeys/journey-error.js';

/** What happens to a request that a relayer is given. */
export type RequestEvent =
  /** It goes to a relayer (its address); from here on it may land. */
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
  /** Whether it is or will be on chain is not known; asked again by itself. */
  | { readonly type: 'unknown'; readonly error: JourneyError };
