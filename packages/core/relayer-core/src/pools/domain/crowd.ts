/** Batch that a proof names publicly. The withdrawal belongs to one of its deposits. */
export interface Crowd {
  readonly batchSize: number;
  /** Warning; null if the batch is not small. */
  readonly warning: 'SMALL_CROWD' | null;
}

/** Figures about the batches of a pool. */
export interface PoolCrowd {
  /** Age in seconds of the oldest deposit that waits for a batch; null if none waits. */
  readonly oldestWaitingSeconds: number | null;
  /** Deposits in the newest active batch; null before the first. */
  readonly lastBatchSize: number | null;
  readonly smallestBatchSize: number | null;
}

/** Returns the crowd of a batch. @param smallBelow batches with fewer deposits get a warning */
export function crowdOf(batchSize: number, smallBelow: number): Crowd {
  return { batchSize, warning: batchSize < smallBelow ? 'SMALL_CROWD' : null };
}
