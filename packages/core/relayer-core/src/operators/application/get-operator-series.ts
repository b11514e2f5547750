import { CODES_OF } from '@sotto/facts';
import type { Clock } from '@sotto/kernel';
import type { SettlementHistory } from '../../circuit-breaker/ports/settlement-history.port.js';
import type { NotePool } from '../../pools/domain/pool.js';
import { seriesOf, type OperatorSeries, type SeriesSpan } from '../domain/operator-series.js';

/** More than is read for one chart: what ended before the newest of these is left out. */
const MAX_ENTRIES = 20_000;

/** Money, latency and queue over a time, from the ledger's rows. */
export class GetOperatorSeries {
  /** Codes of the route that it stands behind. */
  static readonly throws = CODES_OF.operatorSeries;

  constructor(
    private readonly history: Pick<SettlementHistory, 'ended' | 'live'>,
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly pools: readonly NotePool[],
    /** @default {@link MAX_ENTRIES} */
    private readonly maxEntries = MAX_ENTRIES,
  ) {}

  /** The last bucket is the one that is under way. */
  async execute({ bucketMs, buckets }: SeriesSpan): Promise<OperatorSeries> {
    const last = Math.floor(this.clock.nowMs() / bucketMs);
    const sinceMs = (last - buckets + 1) * bucketMs;
    // Live first: what ends between the two reads is counted as ended, and once.
    const live = await this.history.live();
    const ended = await this.history.ended(sinceMs, this.maxEntries);
    return {
      ...seriesOf({ sinceMs, bucketMs, buckets }, ended, live, this.pools),
      isComplete: ended.length < this.maxEntries,
    };
  }
}
