import { mkdirSync } from 'node:fs';
import { systemClock } from '@sotto/kernel';
import { figure, figureTable, multiple, ratiosOf, roundsOf, spread } from '@sotto/load-kit/report';
import type { Bench, BenchCase } from '../bench.js';
import { Callers, relay } from '../load/relay.js';
import { Node } from '../processes/node.js';
import { Service } from '../processes/service.js';
import type { PostgresStore } from '../processes/store.js';
import { lanesAlone } from '../processes/world.js';

/** Accounts that all instances share. */
const LANES = 8;
/** Network latency of a request to the node, in ms. */
const LATENCY_MS = 50;
/** Time in ms after which the server's counters contain all earlier commits. */
const COUNTERS_SETTLE_MS = 1_500;

/** Resources of one window, per withdrawal. */
interface Window {
  readonly perSecond: number;
  readonly servicesCpuMs: number;
  readonly serverCpuMs: number;
  readonly commits: number;
  readonly nodeRequests: number;
}

/** Measures the cost of a withdrawal if several instances share one PostgreSQL database. */
export const instances: BenchCase = {
  title: 'Instances on one PostgreSQL database',
  async run(bench) {
    const { plan, say } = bench;
    const folder = `${bench.folder}/instances`;
    mkdirSync(folder);
    const node = await Node.start(folder);
    await node.setLatency(LATENCY_MS);
    const found = new Map<number, readonly Window[]>();
    for (const count of plan.instances.counts) {
      const store = await bench.postgres.store();
      if (store === null) {
        say('no PostgreSQL runs here');
        break;
      }
      found.set(count, await windowsOf(bench, { folder, node, store, count }));
    }
    await node.stop();
    const rounds = [...found].map(([count, windows]) => ({
      count,
      perSecond: roundsOf(windows.map(({ perSecond }) => perSecond)),
      sumCpuMs: roundsOf(windows.map((window) => window.servicesCpuMs + window.serverCpuMs)),
      servicesCpuMs: roundsOf(windows.map(({ servicesCpuMs }) => servicesCpuMs)),
      serverCpuMs: roundsOf(windows.map(({ serverCpuMs }) => serverCpuMs)),
      commits: roundsOf(windows.map(({ commits }) => commits)),
      nodeRequests: roundsOf(windows.map(({ nodeRequests }) => nodeRequests)),
    }));
    const [one, two] = rounds;
    return {
      raw: Object.fromEntries(found),
      headlines:
        one === undefined || two === undefined
          ? []
          : [
              {
                what: `processor time per withdrawal with ${two.count} instances, compared with ${one.count} (services and PostgreSQL server)`,
                sotto: `${spread(one.sumCpuMs)} → ${spread(two.sumCpuMs)} ms`,
                ratio: multiple(ratiosOf(two.sumCpuMs, one.sumCpuMs)),
                wanted: '≤ 1.1×',
              },
            ],
      text: `${LANES} accounts, ${plan.instances.callers} callers that use the instances in turn, node latency ${LATENCY_MS} ms, default settings. Processor time in ms, commits and node requests are per withdrawal. Instances, server, node and callers share the machine.\n\n${figureTable(
        ['instances', 'withdrawals/s', 'services', 'server', 'sum', 'commits', 'node requests'],
        rounds.map((each) => [
          figure(each.count),
          spread(each.perSecond),
          spread(each.servicesCpuMs),
          spread(each.serverCpuMs),
          spread(each.sumCpuMs),
          spread(each.commits),
          spread(each.nodeRequests),
        ]),
      )}`,
    };
  },
};

interface Shared {
  readonly folder: string;
  readonly node: Node;
  readonly store: PostgresStore;
  readonly count: number;
}

async function windowsOf(bench: Bench, shared: Shared): Promise<readonly Window[]> {
  const { folder, node, store, count } = shared;
  const { rounds, instances: plan } = bench.plan;
  const services: Service[] = [];
  try {
    for (let index = 0; index < count; index += 1)
      services.push(
        await Service.start({
          folder,
          name: `instance-${count}-${index}`,
          node: node.urls,
          lanes: lanesAlone(LANES),
          settings: 'default',
          store,
          env: { INSTANCE_ID: `bench-${index}` },
        }),
      );
    await windowOf(bench, services, shared, plan.warmUpMs);
    const windows: Window[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const window = await windowOf(bench, services, shared, plan.windowMs);
      bench.say(
        `instances: ${count}, ${figure(window.perSecond)} a second, ${figure(window.servicesCpuMs)} + ${figure(window.serverCpuMs)} ms, ${figure(window.commits)} commits, ${figure(window.nodeRequests)} node requests`,
      );
      windows.push(window);
    }
    return windows;
  } finally {
    for (const service of services) await service.stop();
  }
}

/** Runs the callers for a time. Each caller uses the instances in turn. */
async function windowOf(
  { withdrawals, plan }: Bench,
  services: readonly Service[],
  { store, node }: Shared,
  windowMs: number,
): Promise<Window> {
  withdrawals.prepare(Math.ceil((windowMs / 1_000) * 100));
  const cpuMs = async (): Promise<number> => {
    const each = await Promise.all(services.map(({ process }) => process.cpuMs()));
    return each.reduce((sum, ms) => sum + ms, 0);
  };
  await systemClock.sleep(COUNTERS_SETTLE_MS);
  const before = { cpuMs: await cpuMs(), commits: await store.commits() };
  const serverBeforeMs = store.serverCpuMs();
  await node.resetCounts();
  const startMs = performance.now();
  let turn = 0;
  const callers = new Callers(plan.instances.callers, () => {
    const service = services[turn++ % services.length];
    if (service === undefined) throw new Error('no instance runs');
    return relay(service, withdrawals);
  });
  await systemClock.sleep(windowMs);
  await callers.stop();
  const { succeeded, unknown } = callers.answered;
  const answeredMs = performance.now() - startMs;
  for (const service of services) await service.settled();
  const count = succeeded + unknown;
  const serverCpuMs = (store.serverCpuMs() - serverBeforeMs) / count;
  const servicesCpuMs = ((await cpuMs()) - before.cpuMs) / count;
  const { httpRequests } = await node.counts();
  await systemClock.sleep(COUNTERS_SETTLE_MS);
  return {
    perSecond: (count / answeredMs) * 1_000,
    servicesCpuMs,
    serverCpuMs,
    commits: ((await store.commits()) - before.commits) / count,
    nodeRequests: httpRequests / count,
  };
}
