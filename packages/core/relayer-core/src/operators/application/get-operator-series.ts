import { CODES_OF } from '@sotto/facts';
import type { Clock } from '@sotto/kernel';
import type { SettlementHistory } from '../../circuit-breaker/ports/settlement-history.port.js';
import type { RelayedPool } from '../../pools/domain/pool.js';
import { seriesOf, type OperatorSeries, type SeriesSpan } from '../domain/operator-series.js';

/** Maximum number of entries read for one chart. Older entries are omitted. */
const MAX_ENTRIES = 20_000;

/** Returns income, cost, latency and queue length over time, computed from the ledger's rows. */
export class GetOperatorSeries {
  /** Error codes of the API route for series. */
  static readonly throws = CODES_OF.operatorSeries;

  constructor(
    private readonly history: Pick<SettlementHistory, 'ended' | 'live'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly pools: readonly RelayedPool[],
    /** @default {@link MAX_ENTRIES} */
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** Returns the series. The last bucket is the current bucket, which is incomplete. */
  async execute({ bucketMs, buckets }: SeriesSpan): Promise<OperatorSeries> {
    const last = Math.floor(this.clock.nowMs() / bucketMs);
    const sinceMs = (last - buckets + 1) * bucketMs;
    // Read attempts that have not ended first. If an attempt ends between the two reads, it is
    // counted only once, as ended.
    const live = await this.history.live();
    const ended = await this.history.ended(sinceMs, this.maxEntries);
    return {
      ...seriesOf({ sinceMs, bucketMs, buckets }, ended, live, this.pools),
      isComplete: ended.length < this.maxEntries,
    };
  }
}
