import type { JourneyError } from '../journeys/journey-error.js';

/** Event of a request to a relayer. */
export type RequestEvent =
  /** The request is sent to `relayer` (a base URL) and may land from now on. */
  | { readonly type: 'posting'; readonly relayer: string }
  /** The relayer accepted it. The hash is null until the transaction is signed. */
  | {
      readonly type: 'accepted';
      readonly relayer: string;
      /** Id of the submission at that relayer. */
      readonly submission: string;
      readonly transactionHash: string | null;
    }
  /** Included in a block that may still be rolled back, as reported by the relayer. */
  | { readonly type: 'included'; readonly transactionHash: string }
  /** The outcome is unknown; retried automatically. */
  | { readonly type: 'unknown'; readonly error: JourneyError };
