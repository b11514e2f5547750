import {
  figure,
  figureTable,
  ratiosOf,
  type Rounds,
  roundsOf,
  spread,
} from '@sotto/load-kit/report';
import autocannon from 'autocannon';
import { jsonLine } from '@sotto/process-kit';
import { z } from 'zod';
import type { Bench, BenchCase } from '../bench.js';
import type { Flow } from '../processes/flow.js';
import { MeasuredChild } from '../processes/measured-child.js';
import { feeAddress, poolAddress } from '../processes/world.js';
import type { ReadLength } from '../plan.js';

const pathsOf = (transactionId: string): Readonly<Record<string, string>> => ({
  'pool status': `/api/relayer/pool-status?pool=${poolAddress}`,
  'fee estimate': `/api/relayer/fee-estimate?pool=${poolAddress}`,
  'staking data': '/api/staking',
  'bridge status': `/api/bridge/status?transaction_id=${encodeURIComponent(transactionId)}`,
  'health (no cache, no limits)': '/health/live',
});

/**
 * Response headers that Node or Express write automatically. Express writes only Content-Length.
 */
const OF_THE_SERVER: ReadonlySet<string> = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
]);
const MS_PER_SECOND = 1_000;

interface Served {
  readonly perSecond: Rounds;
  /** CPU time of the whole process per request, in µs. */
  readonly cpuMicros: Rounds;
  readonly p99Ms: Rounds;
}

interface Read {
  readonly name: string;
  readonly sotto: Served;
  readonly bare: Served;
}

/** Compares reads from caches with a bare Express route that returns the same bytes and headers. */
export const reads: BenchCase = {
  title: 'Cached reads',
  async run(bench) {
    const { node, plan, flows } = bench;
    await node.setLatency(0);
    const service = await flows.startOne(bench, 'sotto', 1);
    const found: Read[] = [];
    const paths = pathsOf(await beginTransfer(service));
    for (const [name, path] of Object.entries(paths))
      found.push(
        await compared(bench, name, { url: `${service.url}${path}`, process: service.process }),
      );
    await flows.release([service]);
    return {
      raw: found,
      headlines: found
        .filter(({ name }) => name === 'pool status')
        .map(({ sotto, bare }) => ({
          what: 'cached pool status, requests per second, compared with bare Express',
          sotto: spread(sotto.perSecond),
          usual: `${spread(bare.perSecond)}, bare`,
          ratio: percent(ratiosOf(sotto.perSecond, bare.perSecond)),
          wanted: '',
        })),
      text: `${plan.reads.connections} connections, one request at a time on each.\n\n${figureTable(
        [
          '',
          'Sotto, requests/s',
          'bare Express, requests/s',
          'Sotto : bare',
          'Sotto, µs of processor time',
          'bare, µs of processor time',
          'Sotto, p99 ms',
          'bare, p99 ms',
        ],
        found.map(({ name, sotto, bare }) => [
          name,
          spread(sotto.perSecond),
          spread(bare.perSecond),
          percent(ratiosOf(sotto.perSecond, bare.perSecond)),
          spread(sotto.cpuMicros),
          spread(bare.cpuMicros),
          latency(sotto),
          latency(bare),
        ]),
      )}`,
    };
  },
};

/** Starts a bridge transfer whose status can be read. @returns its transaction id */
async function beginTransfer({ url }: Flow): Promise<string> {
  const response = await fetch(`${url}/api/bridge/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      from_chain: 'ethereum',
      from_token: 'USDC',
      to_chain: 'starknet',
      to_token: 'STRK',
      amount: '100000000',
      dry_run: false,
      recipient: feeAddress,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`no transfer: ${response.status} ${text}`);
  return z.object({ transaction_id: z.string() }).parse(JSON.parse(text)).transaction_id;
}

/** URL to request, and the process that serves this URL. */
interface Subject {
  readonly url: string;
  readonly process: MeasuredChild;
}

async function startBare(answer: Response, body: string, folder: string): Promise<Subject> {
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !OF_THE_SERVER.has(name)),
  );
  const keepAliveSeconds = /timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '')?.[1];
  const process = new MeasuredChild({
    name: 'bare route',
    program: new URL('../processes/bare-process.js', import.meta.url).href,
    env: {
      BODY: body,
      HEADERS: JSON.stringify(headers),
      KEEP_ALIVE_MS: String(Number(keepAliveSeconds) * MS_PER_SECOND),
    },
    logFile: `${folder}/bare.log`,
  });
  return { process, url: (await process.line(jsonLine(z.object({ url: z.url() })))).url };
}

async function compared(
  { folder, plan, say }: Bench,
  name: string,
  subject: Subject,
): Promise<Read> {
  const answer = await fetch(subject.url);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${body}`);
  const bare = await startBare(answer, body, folder);
  const rounds: { readonly sotto: Blast[]; readonly bare: Blast[] } = { sotto: [], bare: [] };
  const { warmUp, measured, connections } = plan.reads;
  if (warmUp !== null) for (const each of [subject, bare]) await blast(each, warmUp, connections);
  // Alternate the two servers, so that other load on the machine affects both.
  for (let round = 0; round < plan.rounds; round += 1) {
    rounds.sotto.push(await blast(subject, measured, connections));
    rounds.bare.push(await blast(bare, measured, connections));
  }
  await bare.process.stop();
  const read = { name, sotto: served(rounds.sotto), bare: served(rounds.bare) };
  say(
    `${name}: ${figure(read.sotto.perSecond.median)} requests a second, bare ${figure(read.bare.perSecond.median)}`,
  );
  return read;
}

interface Blast {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p99Ms: number;
}

/** @throws Error if any response is not successful */
async function blast(
  { url, process }: Subject,
  length: ReadLength,
  connections: number,
): Promise<Blast> {
  const before = await process.usage();
  const {
    requests,
    latency: latencies,
    duration,
    non2xx,
    errors,
  } = await autocannon({ url, ...length, connections });
  const after = await process.usage();
  if (non2xx + errors > 0) throw new Error(`${non2xx} rejections and ${errors} errors from ${url}`);
  return {
    perSecond: requests.total / duration,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests.total,
    p99Ms: latencies.p99,
  };
}

function served(blasts: readonly Blast[]): Served {
  return {
    perSecond: roundsOf(blasts.map(({ perSecond }) => perSecond)),
    cpuMicros: roundsOf(blasts.map(({ cpuMicros }) => cpuMicros)),
    p99Ms: roundsOf(blasts.map(({ p99Ms }) => p99Ms)),
  };
}

/** Formats a latency in ms. The load generator measures whole milliseconds. */
function latency({ p99Ms: { median } }: Served): string {
  return median === 0 ? '< 1' : figure(median);
}

function percent({ median, min, max }: Rounds): string {
  const [at, from, to] = [median, min, max].map((portion) => Math.round(portion * 100));
  return `${at} % (${from}–${to})`;
}
