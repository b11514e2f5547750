import autocannon from 'autocannon';
import { z } from 'zod';
import type { Bench, BenchCase } from '../bench.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import { Child, jsonLine } from '../processes/child.js';
import { Service } from '../processes/service.js';
import { poolAddress } from '../processes/world.js';
import { figure, spread, table } from '../report/markdown.js';

const READS = {
  'pool status': `/api/relayer/pool-status?pool=${poolAddress}`,
  'fee estimate': `/api/relayer/fee-estimate?pool=${poolAddress}`,
  'staking data': '/api/staking',
  'health (no cache, no limits)': '/health/live',
} as const;

interface Served {
  readonly perSecond: Rounds;
  readonly p99Ms: Rounds;
}

interface Read {
  readonly name: string;
  readonly sotto: Served;
  readonly bare: Served;
}

/** Reads that come from caches, beside a bare Express route with the same bytes. */
export const reads: BenchCase = {
  title: 'Cached reads',
  async run(bench) {
    const { folder, node, plan } = bench;
    await node.setLatency(0);
    const service = await Service.start({ folder, node: node.urls, lanes: 1 });
    const found: Read[] = [];
    for (const [name, path] of Object.entries(READS)) found.push(await compared(bench, name, `${service.url}${path}`));
    await service.stop();
    return {
      raw: found,
      headlines: found
        .filter(({ name }) => name === 'pool status')
        .map(({ sotto, bare }) => ({
          what: 'cached pool status, requests per second, beside bare Express',
          sotto: figure(sotto.perSecond.median),
          usual: `${figure(bare.perSecond.median)} (bare)`,
          ratio: percent(sotto.perSecond.median / bare.perSecond.median),
          wanted: '≥ 90 %',
        })),
      text: `${plan.reads.connections} connections, one request at a time on each.\n\n${table(
        ['', 'Sotto, requests/s', 'bare Express, requests/s', 'Sotto : bare', 'Sotto, p99 ms', 'bare, p99 ms'],
        found.map(({ name, sotto, bare }) => [
          name,
          spread(sotto.perSecond),
          spread(bare.perSecond),
          percent(sotto.perSecond.median / bare.perSecond.median),
          figure(sotto.p99Ms.median),
          figure(bare.p99Ms.median),
        ]),
      )}`,
    };
  },
};

async function compared({ folder, plan, say }: Bench, name: string, url: string): Promise<Read> {
  const answer = await fetch(url);
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${body}`);
  const bare = new Child({
    name: 'bare route',
    program: new URL('../processes/bare-process.js', import.meta.url).href,
    env: { BODY: body, CONTENT_TYPE: answer.headers.get('content-type') ?? '' },
    logFile: `${folder}/bare.log`,
  });
  const { url: bareUrl } = await bare.announced(jsonLine(z.object({ url: z.url() })));
  const rounds: { readonly sotto: Blast[]; readonly bare: Blast[] } = { sotto: [], bare: [] };
  const { warmUpSeconds } = plan.reads;
  if (warmUpSeconds > 0) for (const each of [url, bareUrl]) await blast(each, warmUpSeconds, plan.reads.connections);
  // In turn, so that whatever else the machine does strikes both.
  for (let round = 0; round < plan.rounds; round += 1) {
    rounds.sotto.push(await blast(url, plan.reads.seconds, plan.reads.connections));
    rounds.bare.push(await blast(bareUrl, plan.reads.seconds, plan.reads.connections));
  }
  await bare.end('SIGTERM');
  const read = { name, sotto: served(rounds.sotto), bare: served(rounds.bare) };
  say(`${name}: ${figure(read.sotto.perSecond.median)} requests a second, bare ${figure(read.bare.perSecond.median)}`);
  return read;
}

interface Blast {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** @throws Error when not every answer is good */
async function blast(url: string, duration: number, connections: number): Promise<Blast> {
  const { requests, latency, non2xx, errors } = await autocannon({ url, duration, connections });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors from ${url}`);
  return { perSecond: requests.average, p99Ms: latency.p99 };
}

function served(blasts: readonly Blast[]): Served {
  return { perSecond: roundsOf(blasts.map(({ perSecond }) => perSecond)), p99Ms: roundsOf(blasts.map(({ p99Ms }) => p99Ms)) };
}

function percent(portion: number): string {
  return `${Math.round(portion * 100)} %`;
}
