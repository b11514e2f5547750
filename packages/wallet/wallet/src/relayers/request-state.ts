/** What a journal keeps of a request to a relayer. */
export interface RequestState {
  /** Of the submission; null before the relayer has answered. */
  readonly location: string | null;
  /** Unix time in ms since which the relayer has given no answer that says what is; else null. */
  readonly unansweredSinceMs: number | null;
  /** Unix time in ms at which it was sent first, to this relayer; null before that. */
  readonly firstSentMs: number | null;
}

export const NOT_SENT: RequestState = {
  location: null,
  unansweredSinceMs: null,
  firstSentMs: null,
};

/** Whether a request has ended at its relayer. */
export interface EndedState {
  /**
   * Null: the relayer may still bring it on chain, and is followed. Else the code with which it
   * ended; {@link RELAYER_SILENT} is not conclusive.
   */
  readonly ended: string | null;
}

/** The relayer has not answered for long. */
export const RELAYER_SILENT = 'RELAYER_SILENT';

/** Whether the relayer may have brought the request on chain, or may do so yet. */
export function mayHaveLanded({ ended }: EndedState): boolean {
  return ended === null || ended === RELAYER_SILENT;
}
