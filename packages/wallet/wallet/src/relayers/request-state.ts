/** State of a request to a relayer, as stored in the journal. */
export interface RequestState {
  /** Path of the submission; null before the relayer has accepted the request. */
  readonly location: string | null;
  /**
   * Unix time in ms since which the relayer has returned no usable response; null if its last
   * response was usable.
   */
  readonly unansweredSinceMs: number | null;
  /** Unix time in ms of the first send to this relayer; null before the first send. */
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
   * Null while the relayer may still put the request on chain and is polled. Otherwise the code
   * that ended the request. After {@link RELAYER_SILENT}, the request may still land.
   */
  readonly ended: string | null;
}

/** Pseudo error code for a relayer that no longer responds. */
export const RELAYER_SILENT = 'RELAYER_SILENT';

/** Returns true if the request may be on chain or may still land. */
export function mayHaveLanded({ ended }: EndedState): boolean {
  return ended === null || ended === RELAYER_SILENT;
}
