/** Journal state of a request to a relayer. */
export interface RequestState {
  /** Location of the submission; null before the relayer has answered. */
  readonly location: string | null;
  /** Unix time in ms since which the relayer has given no usable answer; else null. */
  readonly unansweredSinceMs: number | null;
  /** Unix time in ms of the first send to this relayer; null before it. */
  readonly firstSentMs: number | null;
}

export const NOT_SENT: RequestState = {
  location: null,
  unansweredSinceMs: null,
  firstSentMs: null,
};

/** End of a request at its relayer. */
export interface EndedState {
  /**
   * Null while the relayer may still put it on chain and is polled. Otherwise the code that ended
   * it; {@link RELAYER_SILENT} is not conclusive.
   */
  readonly ended: string | null;
}

/** Pseudo code of a relayer that stopped answering. */
export const RELAYER_SILENT = 'RELAYER_SILENT';

/** Returns true if the request may be on chain or may still land. */
export function mayHaveLanded({ ended }: EndedState): boolean {
  return ended === null || ended === RELAYER_SILENT;
}
