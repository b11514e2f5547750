import type { Batch } from './batch.js';

/** Number of waiting deposits of a pool, and the facts that decide which batches are allowed. */
export interface WaitingCrowd {
  readonly waiting: number;
  /**
   * Age of the youngest deposit, in seconds of the chain's clock; used only for partial batches.
   */
  readonly youngestSeconds: number;
  /** Sizes of full batches that the pool's contract accepts. */
  readonly batchSizes: readonly number[];
  /**
   * Age in seconds that the youngest deposit must have so that all waiting deposits may be deployed
   * together, even if they are not a full batch. Null if such a batch is never allowed.
   */
  readonly partialAfterSeconds: number | null;
}

/**
 * Minimum size of a batch that was not requested by the operator. A single deposit would have no
 * crowd.
 */
export const SMALLEST_CROWD = 2;

/**
 * Returns the batches that harm no depositor, full batches first. Public callers and the keeper may
 * deploy only these batches.
 *
 * A batch is the crowd in which its deposits hide. The contract deploys the oldest deposits first,
 * so a batch also decides how many deposits remain. After a full batch, either no deposit or enough
 * deposits for another full batch must remain. A partial batch includes all deposits, and the
 * youngest must have reached the minimum age.
 */
export function allowedBatches(crowd: WaitingCrowd): readonly Batch[] {
  const { waiting, youngestSeconds, batchSizes, partialAfterSeconds } = crowd;
  const smallest = Math.max(SMALLEST_CROWD, Math.min(...batchSizes));
  const full = batchSizes.filter(
    (size) => size >= SMALLEST_CROWD && (size === waiting || waiting - size >= smallest),
  );
  const mayBePartial =
    waiting >= SMALLEST_CROWD &&
    partialAfterSeconds !== null &&
    youngestSeconds >= partialAfterSeconds;
  return [
    ...full.map((count) => ({ count, partial: false })),
    ...(mayBePartial ? [{ count: waiting, partial: true }] : []),
  ];
}
