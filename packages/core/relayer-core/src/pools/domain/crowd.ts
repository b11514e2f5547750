/**
 * Batch that a proof states publicly. The withdrawn note belongs to one of the deposits in this
 * batch.
 */
export interface Crowd {
  readonly batchSize: number;
  /** `SMALL_CROWD` if the batch has few deposits; null otherwise. */
  readonly warning: 'SMALL_CROWD' | null;
}

/** Sizes of a pool's batches, and the age of its oldest waiting deposit. */
export interface PoolCrowd {
  /** Age in seconds of the oldest deposit that waits for a batch; null if no deposit waits. */
  readonly oldestWaitingSeconds: number | null;
  /** Number of deposits in the batch that was deployed last; null if no batch is deployed yet. */
  readonly lastBatchSize: number | null;
  readonly smallestBatchSize: number | null;
}

/**
 * Returns the crowd of a batch. @param smallBelow number of deposits below which the batch is small
 */
export function crowdOf(batchSize: number, smallBelow: number): Crowd {
  return { batchSize, warning: batchSize < smallBelow ? 'SMALL_CROWD' : null };
}
