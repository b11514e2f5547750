import type { Batch } from './batch.js';
import { SMALLEST_CROWD, allowedBatches } from './allowed-batches.js';

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
   * How long the youngest has to have waited for all to be deployed together, in whatever number
   * above one, in seconds; null where that is never done.
   */
  readonly partialAfterSeconds: number | null;
}

export type DueBatch =
  | { readonly due: true; readonly batch: Batch }
  /** Null while it takes further deposits. */
  | { readonly due: false; readonly dueInSeconds: number | null };

/**
 * Returns the largest allowed batch if one is due now. A larger crowd hides each of its deposits
 * better, so a full batch that is not of the largest size waits for more deposits, as long as the
 * setting says and no longer.
 */
export function dueBatch(deposits: WaitingDeposits): DueBatch {
  const { agesSeconds, batchSizes, partialAfterSeconds } = deposits;
  const waiting = agesSeconds.length;
  const youngestSeconds = agesSeconds.at(-1) ?? 0;
  const allowed = allowedBatches({ waiting, youngestSeconds, batchSizes, partialAfterSeconds });
  // The sort is stable: of two equal counts the full batch comes first.
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
