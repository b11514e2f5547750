import { implement, implementStream, type BodyOf, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import type { OperatorEvent, SeriesSpan } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import { toOperatedSubmissionDto } from './operator-submission-dto.js';
import { toLaneDto, toPoolDto } from './operator.js';

type SeriesDto = BodyOf<typeof routes.operatorSeries>;

const DEFAULT_PAGE = 50;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const SPANS = {
  '1h': { bucketMs: MINUTE_MS, buckets: 60 },
  '6h': { bucketMs: 5 * MINUTE_MS, buckets: 72 },
  '24h': { bucketMs: 15 * MINUTE_MS, buckets: 96 },
  '7d': { bucketMs: 2 * HOUR_MS, buckets: 84 },
} as const satisfies Readonly<Record<SeriesDto['window'], SeriesSpan>>;

export const auditLogRoute = ({ recordAction }: UseCases): Route =>
  implement(routes.auditLog, async ({ query: { after = null, limit = DEFAULT_PAGE } }) => {
    const { entries, next } = await recordAction.page(after, limit);
    return {
      status: 200,
      body: {
        entries: entries.map(({ atMs, ...entry }) => ({ ...entry, at: secondsOf(atMs) })),
        next,
      },
    };
  });

export const operatorSeriesRoute = ({ getOperatorSeries }: UseCases): Route =>
  implement(routes.operatorSeries, async ({ query: { window } }) => {
    const { sinceMs, bucketMs, series, pools, isComplete } = await getOperatorSeries.execute(
      SPANS[window],
    );
    return {
      status: 200,
      body: {
        window,
        bucketSeconds: bucketMs / 1_000,
        since: secondsOf(sinceMs),
        complete: isComplete,
        buckets: series.map(({ atMs, ...bucket }) => ({ at: secondsOf(atMs), ...bucket })),
        pools: pools.map(({ pool, earnedFri, paidFri }) => ({
          key: pool.key,
          earnedFri: earnedFri.map(String),
          paidFri: paidFri.map(String),
        })),
      },
    };
  });

/**
 * Headers of an event stream, which instruct proxies to neither transform nor buffer the stream.
 */
export const EVENT_HEADERS = {
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

export const operatorEventsRoute = ({ followOperations }: UseCases): Route =>
  implementStream(routes.operatorEvents, ({ closing }) => ({
    headers: EVENT_HEADERS,
    parts: sentEvents(followOperations.execute(closing)),
  }));

/** Line that sets the delay before a disconnected reader reconnects: 3,000 ms. */
const RECONNECT = 'retry: 3000\n\n';
const HEARTBEAT = ': \n\n';

/** Formats events as server-sent events with consecutive numbers. */
async function* sentEvents(events: AsyncIterable<OperatorEvent>): AsyncGenerator<string> {
  let id = 0;
  for await (const event of events) {
    if (event.kind === 'heartbeat') yield HEARTBEAT;
    else {
      id += 1;
      const text = `id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(toEventDto(event))}\n\n`;
      yield id === 1 ? `${RECONNECT}${text}` : text;
    }
  }
}

function toEventDto(event: Exclude<OperatorEvent, { readonly kind: 'heartbeat' }>): object {
  switch (event.kind) {
    case 'resync':
      return {};
    case 'submission':
      return toOperatedSubmissionDto(event.submission);
    case 'lane':
      return toLaneDto(event.lane);
    case 'pool':
      return toPoolDto(event.pool);
  }
}

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);
