import { systemClock } from '@sotto/kernel';
import type { Bench, BenchCase } from '../bench.js';
import { Callers, relay } from '../load/relay.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import type { Flow } from '../processes/flow.js';
import { Service } from '../processes/service.js';
import { Usual } from '../processes/usual.js';
import { figure, spread, table, times } from '../report/markdown.js';

interface Measured {
  readonly flow: 'sotto' | 'usual';
  readonly lanes: number;
  readonly latencyMs: number;
  /** Withdrawals answered as succeeded. */
  readonly perSecond: Rounds;
}

/** More than any flow relays here in a second. */
const PREPARED_PER_SECOND = 90;

/** Withdrawals per second, by accounts that sign and by distance of the node. */
export const throughput: BenchCase = {
  title: 'Throughput',
  async run(bench) {
    const { folder, node, plan } = bench;
    const measured: Measured[] = [];
    for (const lanes of plan.throughput.lanes) {
      const service = await Service.start({ folder, node: node.urls, lanes });
      for (const latencyMs of plan.throughput.latenciesMs) {
        measured.push({
          flow: 'sotto',
          lanes,
          latencyMs,
          perSecond: await perSecondOf(bench, service, latencyMs),
        });
      }
      await service.stop();
    }
    for (const lanes of plan.throughput.usualLanes) {
      for (const latencyMs of plan.throughput.latenciesMs) {
        await node.setLatency(0);
        const usual = await Usual.start({ folder, node: node.urls, lanes });
        measured.push({
          flow: 'usual',
          lanes,
          latencyMs,
          perSecond: await perSecondOf(bench, usual, latencyMs),
        });
        await usual.stop();
      }
    }
    await node.setLatency(0);
    return { raw: measured, headlines: headlines(measured), text: rendered(bench, measured) };
  },
};

async function perSecondOf(
  { plan, node, withdrawals, say }: Bench,
  flow: Flow,
  latencyMs: number,
): Promise<Rounds> {
  const { warmUpMs, windowMs, callers: count } = plan.throughput;
  await node.setLatency(latencyMs);
  withdrawals.prepare((PREPARED_PER_SECOND * (warmUpMs + plan.rounds * windowMs)) / 1_000);
  const callers = new Callers(count, () => relay(flow, withdrawals));
  await systemClock.sleep(warmUpMs);
  const perSecond: number[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const [before, startMs] = [callers.done, performance.now()];
    await systemClock.sleep(windowMs);
    perSecond.push(((callers.done - before) / (performance.now() - startMs)) * 1_000);
  }
  await callers.stop();
  await flow.settled();
  const rounds = roundsOf(perSecond);
  say(`${spread(rounds)} a second at ${latencyMs} ms`);
  return rounds;
}

/** The fastest of either at the same distance. */
function headlines(
  measured: readonly Measured[],
): Awaited<ReturnType<BenchCase['run']>>['headlines'] {
  return [...new Set(measured.map(({ latencyMs }) => latencyMs))].map((latencyMs) => {
    const best = (flow: Measured['flow']): number =>
      Math.max(
        ...measured
          .filter((each) => each.flow === flow && each.latencyMs === latencyMs)
          .map(({ perSecond }) => perSecond.median),
      );
    const [sotto, usual] = [best('sotto'), best('usual')];
    return {
      what: `withdrawals per second, node ${latencyMs} ms away`,
      sotto: figure(sotto),
      usual: figure(usual),
      ratio: times(sotto / usual),
      wanted: '≥ 10×',
    };
  });
}

function rendered({ plan }: Bench, measured: readonly Measured[]): string {
  const { latenciesMs, callers } = plan.throughput;
  const row = (flow: Measured['flow'], lanes: number, name: string): string[] => [
    `${name}, ${lanes} ${lanes === 1 ? 'account' : 'accounts'}`,
    ...latenciesMs.map((latencyMs) => {
      const found = measured.find(
        (each) => each.flow === flow && each.lanes === lanes && each.latencyMs === latencyMs,
      );
      return found === undefined ? '' : spread(found.perSecond);
    }),
  ];
  const rows = [
    ...plan.throughput.lanes.map((lanes) => row('sotto', lanes, 'Sotto')),
    ...plan.throughput.usualLanes.map((lanes) => row('usual', lanes, 'usual flow')),
  ];
  return `Withdrawals per second, each answered as succeeded, with ${callers} callers who ask again as soon as they are answered.\n\n${table(
    ['node away', ...latenciesMs.map((ms) => `${ms} ms`)],
    rows,
  )}`;
}
