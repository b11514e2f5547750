import type { Clock } from '@sotto/kernel';
import { BatchSplitsCrowd, BatchTooYoung, PartialBatchReserved } from '../../errors.js';
import type { Batch } from '../domain/batch.js';
import { allowedBatches } from '../domain/allowed-batches.js';
import type { PoolStatus, ServedPool } from '../../pools/domain/pool.js';
import type { PoolEvents } from '../../pools/ports/pool-events.port.js';

/**
 * Modes of the rule which batches a caller may deploy. A batch is the crowd in which a withdrawal
 * hides, so the caller that chooses the batch chooses the crowd.
 *
 * - `anyone`: any batch that the pool's contract accepts.
 * - `aged`: the batches of {@link allowedBatches}; partial batches only from the minimum age on.
 * - `operator`: the full batches of {@link allowedBatches}.
 *
 * The operator may deploy any batch that the contract accepts, in every mode.
 */
export type PartialBatchMode = 'anyone' | 'aged' | 'operator';

export interface PartialBatchPolicy {
  readonly mode: PartialBatchMode;
  readonly minAgeMs: number;
}

/**
 * Caller of a deployment. For calls of the keeper, the rule does not check the ages of deposits:
 * the keeper itself checks them, by the minimum age in its settings.
 */
export type BatchRequester = 'anyone' | 'keeper' | 'operator';

/** Decides whether a batch may be deployed. The rule is checked before any simulation or write. */
export class BatchRule {
  constructor(
    private readonly events: Pick<PoolEvents, 'agesOf'>,
    private readonly clock: Clock,
    private readonly policy: PartialBatchPolicy,
  ) {}

  /** @throws PartialBatchReserved if the batch is partial and only the operator may request it */
  checkRequester({ partial }: Batch, requester: BatchRequester): void {
    if (partial && this.policy.mode === 'operator' && requester === 'anyone')
      throw new PartialBatchReserved();
  }

  /**
   * Checks that the batch harms no depositor outside the batch. Precondition: at least
   * `batch.count` deposits wait. The batch must be allowed at the accepted block and at the
   * pre-confirmed block. Otherwise a deposit that is only in the pre-confirmed block could remain
   * without a crowd.
   * @throws BatchSplitsCrowd, BatchTooYoung, PartialBatchReserved for a single deposit, or the
   *   error of a failed read
   */
  async checkBatch(
    pool: ServedPool,
    batch: Batch,
    requester: BatchRequester,
    { nextIndex, undeployedCount }: PoolStatus,
    preConfirmedWaiting: number,
  ): Promise<void> {
    if (requester === 'operator') return;
    if (requester === 'anyone' && this.policy.mode === 'anyone') return;
    const isAged = requester === 'keeper';
    const leftMs = batch.partial && !isAged ? await this.#leftMs(pool.address, nextIndex) : 0;
    this.#checkCrowd(undeployedCount, leftMs, pool.batchSizes, batch);
    if (preConfirmedWaiting === undeployedCount) return;
    this.#checkCrowd(preConfirmedWaiting, this.policy.minAgeMs, pool.batchSizes, batch);
  }

  #checkCrowd(waiting: number, leftMs: number, batchSizes: readonly number[], batch: Batch): void {
    if (batch.partial && waiting === 1) throw new PartialBatchReserved();
    const allowed = allowedBatches({
      waiting,
      batchSizes,
      youngestSeconds: 0,
      partialAfterSeconds: batch.partial && leftMs === 0 ? 0 : null,
    });
    const isAllowed = allowed.some(
      ({ count, partial }) => count === batch.count && partial === batch.partial,
    );
    if (isAllowed) return;
    if (!batch.partial)
      throw new BatchSplitsCrowd({
        details: { waiting, allowed: allowed.map(({ count }) => count).join(', ') },
      });
    throw new BatchTooYoung({
      details: { waiting, readyAt: Math.ceil((this.clock.nowMs() + leftMs) / 1_000) },
    });
  }

  /** Returns the time until the youngest deposit reaches the minimum age, in milliseconds. */
  async #leftMs(pool: ServedPool['address'], nextIndex: number): Promise<number> {
    const [youngestSeconds = 0] = await this.events.agesOf(pool, nextIndex - 1, 1);
    return Math.max(0, this.policy.minAgeMs - youngestSeconds * 1_000);
  }
}
