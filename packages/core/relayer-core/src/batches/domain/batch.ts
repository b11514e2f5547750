import { Felts, type Felt } from '@sotto/kernel';
import type { CallPurpose } from '@sotto/submission-core';
import { BatchCountInvalid } from '../../errors.js';
import type { PoolStatus, ServedPool } from '../../pools/domain/pool.js';

/** A batch of waiting deposits that shall become active. */
export interface Batch {
  readonly count: number;
  /** Any count, at the price of privacy: fewer deposits hide one another. */
  readonly partial: boolean;
}

/** @throws BatchCountInvalid when no pool state could make this count right. */
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

/** The pool's method; its one argument is the count. */
function deployEntrypoint({ partial }: Batch): string {
  return partial ? 'deploy_partial_batch' : 'deploy_batch';
}

/** The call that makes the batch. */
export function deploymentCall(pool: Felt, batch: Batch) {
  return {
    target: { to: pool, entrypoint: deployEntrypoint(batch) },
    calldata: Felts.of([BigInt(batch.count)]),
  };
}

/**
 * The ledger key of a pool's next batch: `chain|pool|deploy|first`, where `first` is the leaf that
 * the batch would begin with. Batches begin where the one before has ended, so a key names one
 * batch, and the batch after it has another.
 */
export function deploymentKey(
  chainId: Felt,
  pool: Felt,
  { nextIndex, undeployedCount }: PoolStatus,
): string {
  return `${chainId}|${pool}|deploy|${nextIndex - undeployedCount}`;
}

/** What the attempt is about that makes a batch. */
export function batchPurpose(pool: Felt): CallPurpose {
  return { kind: 'deploy_batch', subject: pool, memo: null };
}

/** Equal for equal batches: form and count. */
export function batchFingerprint(batch: Batch): string {
  return `${deployEntrypoint(batch)}|${batch.count}`;
}
