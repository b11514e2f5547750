import type { Batch } from './batch.js';

/** Deposits of a pool that wait, and the facts that decide on a batch of them. */
export interface WaitingCrowd {
  readonly waiting: number;
  /** Age of the youngest deposit by the chain's clock. Read only for partial batches. */
  readonly youngestSeconds: number;
  /** Sizes of full batches that the pool's contract takes. */
  readonly batchSizes: readonly number[];
  /** Age from which all deposits may be deployed together, in any number; null means never. */
  readonly partialAfterSeconds: number | null;
}

/** Smallest batch without an operator: one deposit alone has no crowd. */
export const SMALLEST_CROWD = 2;

/**
 * Returns the batches that harm no depositor, full ones first. Strangers and the keeper may have
 * no others.
 *
 * A batch is the crowd in which its deposits hide. The contract takes the oldest deposits, so a
 * batch also decides how many are left. A full batch leaves none, or enough for another full
 * batch. A partial batch takes all deposits, once the youngest has aged.
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
