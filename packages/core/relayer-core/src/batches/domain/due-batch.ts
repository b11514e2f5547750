import type { Batch } from './batch.js';
import { SMALLEST_CROWD, allowedBatches } from './allowed-batches.js';

/** Waiting deposits of a pool, and the settings that decide when they are deployed. */
export interface WaitingDeposits {
  /** Age of each waiting deposit, in seconds of the chain's clock, oldest first. */
  readonly agesSeconds: readonly number[];
  /** Sizes of full batches that the pool's contract accepts. */
  readonly batchSizes: readonly number[];
  /**
   * Time to wait for a larger batch, in seconds. The time begins when a deposit completes the
   * smallest full batch.
   */
  readonly crowdWaitSeconds: number;
  /**
   * Minimum age of the youngest deposit for a partial batch, in seconds. Such a batch contains all
   * waiting deposits, at least two. Null if partial batches are never deployed.
   */
  readonly partialAfterSeconds: number | null;
}

export type DueBatch =
  | { readonly due: true; readonly batch: Batch }
  /** `dueInSeconds` is null if more deposits must arrive first. */
  | { readonly due: false; readonly dueInSeconds: number | null };

/**
 * Returns the largest allowed batch if it is due now. The more deposits a batch has, the better it
 * hides each of them. Therefore a full batch below the largest size waits for more deposits, but at
 * most `crowdWaitSeconds`.
 */
export function dueBatch(deposits: WaitingDeposits): DueBatch {
  const { agesSeconds, batchSizes, partialAfterSeconds } = deposits;
  const waiting = agesSeconds.length;
  const youngestSeconds = agesSeconds.at(-1) ?? 0;
  const allowed = allowedBatches({ waiting, youngestSeconds, batchSizes, partialAfterSeconds });
  // The sort is stable and full batches are first in the input. So if two batches have equal
  // counts, the full batch remains first.
  const [largest] = allowed.toSorted((left, right) => right.count - left.count);
  const toPartial =
    partialAfterSeconds === null || waiting < SMALLEST_CROWD
      ? Infinity
      : partialAfterSeconds - youngestSeconds;
  const dueInSeconds = Math.min(toPartial, secondsToFull(deposits, allowed));
  if (largest !== undefined && dueInSeconds <= 0) return { due: true, batch: largest };
  return { due: false, dueInSeconds: dueInSeconds === Infinity ? null : dueInSeconds };
}

function secondsToFull(
  { agesSeconds, batchSizes, crowdWaitSeconds }: WaitingDeposits,
  allowed: readonly Batch[],
): number {
  const full = allowed.filter(({ partial }) => !partial).map(({ count }) => count);
  if (full.length === 0) return Infinity;
  if (full.includes(Math.max(...batchSizes))) return 0;
  const completedBy = agesSeconds[Math.min(...batchSizes) - 1];
  return completedBy === undefined ? Infinity : crowdWaitSeconds - completedBy;
}
