import type { Clock } from '@sotto/kernel';
import type { PoolStatus, ServedPool } from '../domain/pool.js';
import { BatchTooYoung, PartialBatchReserved } from '../../errors.js';
import type { PoolHistory } from '../ports/pool-history.port.js';

/**
 * Who may have a partial batch deployed. A batch is the crowd that a withdrawal hides in, so the
 * caller that chooses the batch chooses the crowd.
 *
 * - `anyone`: any batch that the pool takes.
 * - `aged`: all that wait, once the youngest of them has waited long enough; so no request splits a
 *   crowd, or cuts it short.
 * - `operator`: as the operator says.
 */
export type PartialBatchMode = 'anyone' | 'aged' | 'operator';

export interface PartialBatchPolicy {
  readonly mode: PartialBatchMode;
  readonly minAgeMs: number;
}

/** Judges partial batches before anything of them is tried. */
export class PartialBatches {
  constructor(
    private readonly history: Pick<PoolHistory, 'agesOf'>,
    private readonly clock: Clock,
    private readonly policy: PartialBatchPolicy,
  ) {}

  /** @throws PartialBatchReserved for what only the operator may ask for */
  checkCaller(isOperator: boolean): void {
    if (this.policy.mode === 'operator' && !isOperator) throw new PartialBatchReserved();
  }

  /** @throws BatchTooYoung, or the error of a read that failed */
  async checkBatch(
    { address }: ServedPool,
    count: number,
    { nextIndex, undeployedCount: waiting }: PoolStatus,
  ): Promise<void> {
    if (this.policy.mode !== 'aged') return;
    const [youngestSeconds = 0] = await this.history.agesOf(address, nextIndex - 1, 1);
    const leftMs = Math.max(0, this.policy.minAgeMs - youngestSeconds * 1_000);
    if (count === waiting && leftMs === 0) return;
    throw new BatchTooYoung({
      details: { waiting, readyAt: Math.ceil((this.clock.nowMs() + leftMs) / 1_000) },
    });
  }
}
