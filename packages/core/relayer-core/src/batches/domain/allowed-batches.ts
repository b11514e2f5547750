import type { Batch } from './batch.js';

/** Waiting deposits of a pool, and the facts that decide which batches are allowed. */
export interface WaitingCrowd {
  readonly waiting: number;
  /**
   * Age of the youngest deposit, in seconds by the chain's clock. Used only for partial batches.
   */
  readonly youngestSeconds: number;
  /** Sizes of full batches that the pool's contract accepts. */
  readonly batchSizes: readonly number[];
  /**
   * Age in seconds from which all deposits may be deployed together, in any number; null for never.
   */
  readonly partialAfterSeconds: number | null;
}

/** Smallest batch without an operator: a single deposit has no crowd. */
export const SMALLEST_CROWD = 2;

/**
 * Returns the batches that harm no depositor, full ones first. Public callers and the keeper may
 * deploy only these.
 *
 * A batch is the crowd in which its deposits hide. The contract deploys the oldest deposits first,
 * so a batch also decides how many remain. A full batch must leave none, or enough for another full
 * batch. A partial batch includes all deposits, once the youngest has aged.
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
