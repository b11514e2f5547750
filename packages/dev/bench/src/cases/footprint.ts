import { mkdirSync } from 'node:fs';
import { figure, figureTable, type Rounds, roundsOf, spread } from '@sotto/load-kit/report';
import type { Variables } from '@sotto/process-kit';
import type { Bench, BenchCase } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import { Service } from '../processes/service.js';
import { lanesAlone } from '../processes/world.js';

const LANES = 4;
const BYTES_PER_MB = 1e6;
const SMALL_HEAP = '--max-semi-space-size=4';

interface Memory {
  readonly residentMb: number;
  readonly cpuMs: number;
}

/** Measures how long a start needs, and how much memory the process uses after some work. */
export const footprint: BenchCase = {
  title: 'Start and memory',
  async run(bench) {
    await bench.node.setLatency(0);
    const starts = await measuredStarts(bench);
    const memory = await measuredMemory(bench);
    const resident = (name: string): string => {
      const found = memory.get(name);
      return found === undefined ? '' : `${spread(found.residentMb)} MB`;
    };
    const startOf = (name: string): string => {
      const found = starts.get(name);
      return found === undefined ? '' : `${spread(found)} ms`;
    };
    const { withdrawals } = bench.plan.footprint;
    return {
      raw: { readyMs: Object.fromEntries(starts), memory: Object.fromEntries(memory) },
      headlines: [
        {
          what: 'start to ready, with the compile cache of Node',
          sotto: startOf('kept'),
          wanted: '≤ 800 ms',
        },
        {
          what: `resident memory after ${withdrawals} withdrawals; with ${SMALL_HEAP}`,
          sotto: `${resident('default')}; ${resident('small')}`,
          wanted: '≤ 300 MB',
        },
      ],
      text: [
        figureTable(
          ['', 'start to ready'],
          [
            ['without the compile cache of Node', startOf('none')],
            ['with the compile cache (NODE_COMPILE_CACHE)', startOf('kept')],
          ],
        ),
        figureTable(
          [
            '',
            `resident after ${figure(withdrawals)} withdrawals, MB`,
            'processor time per withdrawal, ms',
          ],
          [...memory].map(([name, { residentMb, cpuMs }]) => [
            name === 'small' ? SMALL_HEAP : 'Node’s default',
            spread(residentMb),
            spread(cpuMs),
          ]),
        ),
      ].join('\n\n'),
    };
  },
};

async function started(
  { folder, node }: Bench,
  env: Variables,
  nodeOptions: readonly string[] = [],
): Promise<Service> {
  return Service.start({
    folder,
    name: 'footprint',
    node: node.urls,
    lanes: lanesAlone(LANES),
    env,
    nodeOptions,
  });
}

async function measuredStarts(bench: Bench): Promise<ReadonlyMap<string, Rounds>> {
  const cache = `${bench.folder}/compiled`;
  mkdirSync(cache);
  const start = async (env: Variables): Promise<number> => {
    const service = await started(bench, env);
    await service.stop();
    return service.readyAfterMs;
  };
  const kept = { NODE_COMPILE_CACHE: cache };
  // Start the service once before measuring: Node writes its compile cache when the process ends.
  await start(kept);
  const found = await inTurns(
    bench.plan.footprint.starts,
    new Map([
      ['none', () => start({ NODE_DISABLE_COMPILE_CACHE: '1' })],
      ['kept', () => start(kept)],
    ]),
  );
  for (const [name, ms] of found) bench.say(`${name}: ready after ${spread(roundsOf(ms))} ms`);
  return new Map([...found].map(([name, ms]) => [name, roundsOf(ms)]));
}

async function measuredMemory(
  bench: Bench,
): Promise<ReadonlyMap<string, { readonly residentMb: Rounds; readonly cpuMs: Rounds }>> {
  const found = await inTurns(
    bench.plan.rounds,
    new Map([
      ['default', () => afterSome(bench, [])],
      ['small', () => afterSome(bench, [SMALL_HEAP])],
    ]),
  );
  return new Map(
    [...found].map(([name, measured]) => [
      name,
      {
        residentMb: roundsOf(measured.map(({ residentMb }) => residentMb)),
        cpuMs: roundsOf(measured.map(({ cpuMs }) => cpuMs)),
      },
    ]),
  );
}

async function afterSome(bench: Bench, nodeOptions: readonly string[]): Promise<Memory> {
  const { plan, withdrawals } = bench;
  const count = plan.footprint.withdrawals;
  withdrawals.prepare(count);
  const service = await started(bench, {}, nodeOptions);
  const beforeMs = await service.process.cpuMs();
  await inParallel(plan.cost.callers, count, () => relay(service, withdrawals));
  await service.settled();
  const { residentBytes } = await service.process.usage();
  const cpuMs = ((await service.process.cpuMs()) - beforeMs) / count;
  await service.stop();
  return { residentMb: residentBytes / BYTES_PER_MB, cpuMs };
}
