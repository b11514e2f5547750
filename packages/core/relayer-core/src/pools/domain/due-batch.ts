import type { Batch } from './batch.js';

/** The deposits of a pool that wait, and what the decision on them goes by. */
export interface WaitingDeposits {
  /**
   * How long each has waited, in seconds by the chain's clock, the oldest first: one for each
   * deposit that waits.
   */
  readonly agesSeconds: readonly number[];
  /** Sizes of full batches that the pool's contract takes. */
  readonly batchSizes: readonly number[];
  /**
   * How long a larger batch is waited for once the smallest full one is there, in seconds: counted
   * from the deposit that completed it.
   */
  readonly crowdWaitSeconds: number;
  /**
   * How long the youngest has to have waited for all to be deployed together, in whatever number,
   * in seconds; null where that is never done.
   */
  readonly partialAfterSeconds: number | null;
}

export type DueBatch =
  | { readonly due: true; readonly batch: Batch }
  /** Null while it takes further deposits. */
  | { readonly due: false; readonly dueInSeconds: number | null };

/**
 * The batch that is due now. A larger crowd hides each of its deposits better, so a full batch that
 * is not of the largest size waits for more deposits, as long as the setting says and no longer. A
 * number that no full batch has is deployed only as all that wait, and only where an operator has
 * named an age for it.
 */
export function dueBatch(deposits: WaitingDeposits): DueBatch {
  const { agesSeconds, batchSizes, partialAfterSeconds } = deposits;
  const waiting = agesSeconds.length;
  const youngest = agesSeconds.at(-1);
  if (youngest === undefined) return { due: false, dueInSeconds: null };
  const toPartial = partialAfterSeconds === null ? Infinity : partialAfterSeconds - youngest;
  if (toPartial <= 0)
    return { due: true, batch: { count: waiting, partial: !batchSizes.includes(waiting) } };

  const full = batchSizes.filter((size) => size <= waiting);
  const toFull = secondsToFull(deposits, full);
  if (toFull <= 0) return { due: true, batch: { count: Math.max(...full), partial: false } };
  const dueInSeconds = Math.min(toPartial, toFull);
  return { due: false, dueInSeconds: dueInSeconds === Infinity ? null : dueInSeconds };
}

/** @param full sizes that as many deposits wait for, or more */
function secondsToFull(
  { agesSeconds, batchSizes, crowdWaitSeconds }: WaitingDeposits,
  full: readonly number[],
): number {
  if (full.length > 0 && full.length === batchSizes.length) return 0;
  const completedBy = agesSeconds[Math.min(...full) - 1];
  return completedBy === undefined ? Infinity : crowdWaitSeconds - completedBy;
}
