import { OpenLoad } from '@sotto/load-kit';
import { systemClock } from '@sotto/kernel';
import type { Bench, BenchCase } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import { roundsOf, type Rounds } from '../measure/statistics.js';
import type { Flow } from '../processes/flow.js';
import { Service } from '../processes/service.js';
import { Usual } from '../processes/usual.js';
import { figure, spread, table, times } from '../report/markdown.js';

const LANES = 4;
const MICROS_PER_MS = 1_000;
const BYTES_PER_KB = 1_000;

interface Paced {
  /** How many were answered while the load lasted. */
  readonly relayed: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
}

interface Cost {
  /** Processor time of the whole process for one withdrawal, as fast as it goes. */
  readonly cpuMs: Rounds;
  /** Written to files by the whole process for one withdrawal; null where no system counts it. */
  readonly writtenKb: Rounds | null;
  /** Processor time of a second without requests. */
  readonly idleCpuMs: number;
  readonly paced: Paced;
}

/**
 * Processor time of a relayed withdrawal with everything included, and what the event loop feels of
 * a steady load.
 */
export const cost: BenchCase = {
  title: 'Processor time of a relayed withdrawal',
  async run(bench) {
    const { plan, node, folder, withdrawals } = bench;
    await node.setLatency(0);
    withdrawals.prepare(plan.cost.sotto);
    const service = await Service.start({ folder, node: node.urls, lanes: LANES });
    const sotto = await measured(bench, service, plan.cost.sotto);
    await service.stop();
    const usualFlow = await Usual.start({ folder, node: node.urls, lanes: LANES });
    const usual = await measured(bench, usualFlow, plan.cost.usual);
    await usualFlow.stop();

    const { perSecond } = plan.cost;
    return {
      raw: { sotto, usual },
      headlines: [
        {
          what: 'processor time per relayed withdrawal',
          sotto: `${figure(sotto.cpuMs.median)} ms`,
          usual: `${figure(usual.cpuMs.median)} ms`,
          ratio: `1/${figure(usual.cpuMs.median / sotto.cpuMs.median)}`,
          wanted: '≤ 1/10',
        },
        {
          what: `event-loop delay, p99, at ${perSecond} withdrawals/s offered`,
          sotto: `${figure(sotto.paced.delayP99Ms)} ms`,
          usual: `${figure(usual.paced.delayP99Ms)} ms`,
          ratio: times(usual.paced.delayP99Ms / sotto.paced.delayP99Ms),
          wanted: '< 5 ms (usual: > 150 ms)',
        },
      ],
      text: table(
        ['', 'Sotto', 'usual flow'],
        [
          ['processor time per withdrawal, ms', spread(sotto.cpuMs), spread(usual.cpuMs)],
          [
            'written to files per withdrawal, KB',
            ...[sotto, usual].map(({ writtenKb }) =>
              writtenKb === null ? 'not counted here' : spread(writtenKb),
            ),
          ],
          [
            'processor time of an idle second, ms',
            figure(sotto.idleCpuMs),
            figure(usual.idleCpuMs),
          ],
          [
            `event-loop delay at ${perSecond}/s offered, p50, ms`,
            figure(sotto.paced.delayP50Ms),
            figure(usual.paced.delayP50Ms),
          ],
          [
            `event-loop delay at ${perSecond}/s offered, p99, ms`,
            figure(sotto.paced.delayP99Ms),
            figure(usual.paced.delayP99Ms),
          ],
          [
            `relayed of ${(perSecond * plan.cost.pacedMs) / 1_000} offered, in that time`,
            figure(sotto.paced.relayed),
            figure(usual.paced.relayed),
          ],
        ],
      ),
    };
  },
};

async function measured(bench: Bench, flow: Flow, count: number): Promise<Cost> {
  const { plan, withdrawals, say } = bench;
  const relayAll = async (): Promise<void> => {
    await inParallel(plan.cost.callers, count, () => relay(flow, withdrawals));
    await flow.settled();
  };
  for (let round = 0; round < plan.cost.warmUpRounds; round += 1) {
    withdrawals.prepare(count);
    await relayAll();
  }
  const cpuMs: number[] = [];
  const writtenKb: number[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    withdrawals.prepare(count);
    const before = await flow.process.usage();
    await relayAll();
    const after = await flow.process.usage();
    cpuMs.push((after.cpuMicros - before.cpuMicros) / MICROS_PER_MS / count);
    if (before.writtenBytes !== null && after.writtenBytes !== null)
      writtenKb.push((after.writtenBytes - before.writtenBytes) / BYTES_PER_KB / count);
    say(`${figure(cpuMs.at(-1) ?? 0)} ms of processor time, ${figure(writtenKb.at(-1) ?? 0)} KB`);
  }
  const idleBefore = (await flow.process.usage()).cpuMicros;
  await systemClock.sleep(plan.cost.idleMs);
  const idleCpuMs =
    (((await flow.process.usage()).cpuMicros - idleBefore) / MICROS_PER_MS / plan.cost.idleMs) *
    1_000;
  return {
    cpuMs: roundsOf(cpuMs),
    writtenKb: writtenKb.length === 0 ? null : roundsOf(writtenKb),
    idleCpuMs,
    paced: await paced(bench, flow),
  };
}

/** So many a second, whether the flow follows or not. */
async function paced({ plan, withdrawals, say }: Bench, flow: Flow): Promise<Paced> {
  const { perSecond, pacedMs } = plan.cost;
  withdrawals.prepare((perSecond * pacedMs) / 1_000);
  let relayed = 0;
  const load = new OpenLoad(async () => {
    await relay(flow, withdrawals);
    relayed += 1;
  });
  flow.process.watchDelay();
  load.start({ perSecond });
  await systemClock.sleep(pacedMs);
  const { delayP50Ms, delayP99Ms } = await flow.process.usage();
  const within = relayed;
  // What was offered is relayed in the end, so that nothing is left lying with the node.
  await load.end();
  say(`event-loop delay p99 ${figure(delayP99Ms)} ms`);
  return { relayed: within, delayP50Ms, delayP99Ms };
}
