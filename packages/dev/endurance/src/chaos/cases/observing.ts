import type { World } from '../world.js';
import type { ChaosCase } from './chaos-case.js';

/**
 * Maximum number of requests that are sent to fill the service's log buffer of 1 MiB. Each request
 * causes a log line.
 */
const MOST_LINES = 20_000;
const AT_A_TIME = 50;
/**
 * Path that the service rejects immediately, with a log line for each request. Paths without a
 * route cause only ten log lines a second.
 */
const REFUSED = '/api/relayer/fee-estimate?pool=none';

/** Sends requests until the service loses log lines. @throws Error if the service loses no lines */
async function untilLinesAreLost({ watched }: World): Promise<void> {
  for (let sent = 0; sent < MOST_LINES; sent += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, () => watched.get(REFUSED)));
    if (/^sotto_log_lines_lost_total [1-9]/m.test(await watched.metrics())) return;
  }
  throw new Error(`${MOST_LINES} requests have lost no line`);
}

/** Cases in which only observability fails. Callers are still served. */
export const OBSERVING_CASES: readonly ChaosCase[] = [
  {
    name: 'push lost',
    what: 'the node’s WebSocket rejects every connection; the node still answers HTTP requests',
    inflict: async ({ push }) => {
      push.set('reset');
      return async () => push.set('pass');
    },
    shows: null,
    alert: 'PushLost',
  },
  {
    name: 'push half-open',
    what: 'the node’s WebSocket stays open, but no pushed message arrives',
    inflict: async ({ push }) => {
      push.set('mute-answers');
      return async () => {
        push.set('reset');
        push.set('pass');
      };
    },
    shows: null,
    alert: 'PushLost',
  },
  {
    name: 'log disk full',
    what: 'each write to the log fails with ENOSPC; the ledger is on another disk',
    needs: ['log disk'],
    inflict: async (world) => {
      world.shim.failWrites('ENOSPC');
      await untilLinesAreLost(world);
      return async () => world.shim.pass();
    },
    shows: null,
    alert: 'LogLinesLost',
  },
  {
    name: 'log reader stuck',
    what: 'the reader of the log stops reading, and the pipe to it is full',
    needs: ['output'],
    inflict: async (world) => {
      const { process: child } = world.watched;
      child.holdOutput();
      await untilLinesAreLost(world);
      return async () => child.readOutput();
    },
    shows: null,
    alert: 'LogLinesLost',
  },
  {
    name: 'trace collector hangs',
    what: 'the collector of traces accepts every request and answers none',
    needs: ['collector'],
    inflict: async ({ traces }) => {
      traces.proxy.set('mute-answers');
      return async () => traces.proxy.set('pass');
    },
    shows: null,
    alert: null,
  },
];
