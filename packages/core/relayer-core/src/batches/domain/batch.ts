import { Felts, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import { BatchCountInvalid } from '../../errors.js';
import type { PoolStatus, ServedPool } from '../../pools/domain/pool.js';

/** Batch as which waiting deposits are deployed. */
export interface Batch {
  readonly count: number;
  /**
   * True for a partial batch, which may have any count. Such a batch costs privacy, because fewer
   * deposits hide one another.
   */
  readonly partial: boolean;
}

/** @throws BatchCountInvalid if the count is invalid regardless of the pool's state */
export function checkBatchCount({ count, partial }: Batch, { batchSizes }: ServedPool): void {
  const possible = partial ? Number.isSafeInteger(count) && count >= 1 : batchSizes.includes(count);
  if (possible) return;
  throw new BatchCountInvalid({
    details: {
      allowed: partial
        ? 'an integer from 1 to the number of deposits that wait'
        : batchSizes.join(', '),
    },
  });
}

/**
 * Returns the name of the pool's method that deploys the batch. The method's only argument is the
 * count.
 */
function deployEntrypoint({ partial }: Batch): string {
  return partial ? 'deploy_partial_batch' : 'deploy_batch';
}

/** Builds the call that deploys the batch. */
export function deploymentCall(pool: Felt, batch: Batch) {
  return {
    target: { to: pool, entrypoint: deployEntrypoint(batch) },
    calldata: Felts.of([BigInt(batch.count)]),
  };
}

/**
 * Returns the ledger key of a pool's next batch: `chain|pool|deploy|first`, where `first` is the
 * first leaf of the batch. Each batch begins where the previous batch ended, so a key identifies
 * exactly one batch.
 */
export function deploymentKey(
  chainId: Felt,
  pool: Felt,
  { nextIndex, undeployedCount }: PoolStatus,
): string {
  return `${chainId}|${pool}|deploy|${nextIndex - undeployedCount}`;
}

/** Builds the purpose of the attempt that deploys a batch. */
export function batchPurpose(pool: Felt): CallPurpose {
  return { kind: 'deploy_batch', subject: pool, memo: null };
}

/** Returns the fingerprint of a batch: its entry point and its count. */
export function batchFingerprint(batch: Batch): string {
  return `${deployEntrypoint(batch)}|${batch.count}`;
}
