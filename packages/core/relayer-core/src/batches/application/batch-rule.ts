import type { Clock } from '@sotto/kernel';
import { BatchSplitsCrowd, BatchTooYoung, PartialBatchReserved } from '../../errors.js';
import type { Batch } from '../domain/batch.js';
import { allowedBatches } from '../domain/allowed-batches.js';
import type { PoolStatus, ServedPool } from '../../pools/domain/pool.js';
import type { PoolEvents } from '../../pools/ports/pool-events.port.js';

/**
 * Batches that callers may have deployed. A batch is the crowd that a withdrawal hides in, so the
 * caller that chooses the batch chooses the crowd.
 *
 * - `anyone`: any batch that the pool takes.
 * - `aged`: the batches of {@link allowedBatches}, partial ones from the minimum age.
 * - `operator`: the full batches of {@link allowedBatches}.
 *
 * An operator may have any batch that the pool takes.
 */
export type PartialBatchMode = 'anyone' | 'aged' | 'operator';

export interface PartialBatchPolicy {
  readonly mode: PartialBatchMode;
  readonly minAgeMs: number;
}

/** Caller of a deployment. The keeper judges ages itself, by an age that the operator named. */
export type BatchRequester = 'anyone' | 'keeper' | 'operator';

/** Decides whether a batch may be deployed, before anything of it is tried. */
export class BatchRule {
  constructor(
    private readonly events: Pick<PoolEvents, 'agesOf'>,
    private readonly clock: Clock,
    private readonly policy: PartialBatchPolicy,
  ) {}

  /** @throws PartialBatchReserved for a partial batch that only the operator may request */
  checkRequester({ partial }: Batch, requester: BatchRequester): void {
    if (partial && this.policy.mode === 'operator' && requester === 'anyone')
      throw new PartialBatchReserved();
  }

  /**
   * Precondition: at least as many deposits wait as the batch has. The batch has to be allowed at
   * the accepted and at the pre-confirmed block: a deposit that is only in the latter would be left
   * alone.
   * @throws BatchSplitsCrowd, BatchTooYoung, PartialBatchReserved for a deposit alone, or the error
   *   of a read that failed
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

  /** Milliseconds until the youngest deposit has aged. */
  async #leftMs(pool: ServedPool['address'], nextIndex: number): Promise<number> {
    const [youngestSeconds = 0] = await this.events.agesOf(pool, nextIndex - 1, 1);
    return Math.max(0, this.policy.minAgeMs - youngestSeconds * 1_000);
  }
}
