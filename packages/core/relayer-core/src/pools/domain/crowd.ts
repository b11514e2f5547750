/**
 * The batch that a proof names, which everybody can read from it: the withdrawal is one of its
 * deposits'.
 */
export interface Crowd {
  readonly batchSize: number;
  /** Null where the batch is not small. */
  readonly warning: 'SMALL_CROWD' | null;
}

/** What the batches of a pool are like. */
export interface PoolCrowd {
  /** How long the oldest deposit has waited for its batch, in seconds; null when none waits. */
  readonly oldestWaitingSeconds: number | null;
  /** Deposits in the batch that became active last; null before the first. */
  readonly lastBatchSize: number | null;
  readonly smallestBatchSize: number | null;
}

/** @param smallBelow batches of fewer deposits are warned of */
export function crowdOf(batchSize: number, smallBelow: number): Crowd {
  return { batchSize, warning: batchSize < smallBelow ? 'SMALL_CROWD' : null };
}
