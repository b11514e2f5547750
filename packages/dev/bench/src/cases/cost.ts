import { systemClock } from '@sotto/kernel';
import {
  figure,
  figureTable,
  multiple,
  part,
  ratiosOf,
  type Rounds,
  roundsOf,
  spread,
} from '@sotto/load-kit/report';
import type { Bench, BenchCase, Headline } from '../bench.js';
import { inParallel, relay } from '../load/relay.js';
import { inTurns } from '../measure/in-turns.js';
import { calibrationMs } from '../measure/calibration.js';
import { nativeLimit, readNativeRun } from '../measure/native.js';
import { FLOWS, type Flow, type FlowName } from '../processes/flow.js';

const LANES = 4;

interface Cost {
  /** CPU time of the whole process per withdrawal at full load, in ms. */
  readonly cpuMs: Rounds;
  /** CPU time in ms per second while no requests arrive. */
  readonly idleCpuMs: number;
}

/** Measures the total CPU time of a relayed withdrawal, in alternating rounds of all flows. */
export const cost: BenchCase = {
  title: 'Processor time of a relayed withdrawal',
  async run(bench) {
    await bench.node.setLatency(0);
    const flows = await bench.flows.start(bench, ['sotto', 'postgres', 'usual', 'ourHash'], LANES);
    const found = await measured(bench, flows);
    await bench.flows.release(flows.values());
    return {
      raw: Object.fromEntries(found),
      headlines: headlines(new Map([...found].map(([name, { cpuMs }]) => [name, cpuMs]))),
      text: `Processor time of the flow’s process, including its workers but not a PostgreSQL server. In the idle second, earlier withdrawals become final.\n\n${figureTable(
        ['', 'per withdrawal, ms', 'per idle second, ms'],
        [...found].map(([name, { cpuMs, idleCpuMs }]) => [
          FLOWS[name],
          spread(cpuMs),
          figure(idleCpuMs),
        ]),
      )}`,
    };
  },
};

async function measured(
  bench: Bench,
  flows: ReadonlyMap<FlowName, Flow>,
): Promise<ReadonlyMap<FlowName, Cost>> {
  const { plan, say } = bench;
  const round = new Map(
    [...flows].map(([name, flow]) => [name, () => oneRound(bench, flow, plan.cost.counts[name])]),
  );
  await inTurns(plan.cost.warmUpRounds, round);
  const found = await inTurns(plan.rounds, round);
  const idle = await idleSecond(bench, flows);
  return new Map(
    [...found].map(([name, milliseconds]) => {
      const cpuMs = roundsOf(milliseconds);
      say(`${FLOWS[name]}: ${spread(cpuMs)} ms of processor time`);
      return [name, { cpuMs, idleCpuMs: idle.get(name) ?? 0 }];
    }),
  );
}

/**
 * Relays `count` withdrawals and waits until all have ended. @returns CPU time per withdrawal, in
 * ms
 */
async function oneRound({ plan, withdrawals }: Bench, flow: Flow, count: number): Promise<number> {
  withdrawals.prepare(count);
  const beforeMs = await flow.process.cpuMs();
  await inParallel(plan.cost.callers, count, () => relay(flow, withdrawals));
  await flow.settled();
  return ((await flow.process.cpuMs()) - beforeMs) / count;
}

/** Returns each flow's CPU time per second while no requests arrive. */
async function idleSecond(
  { plan }: Bench,
  flows: ReadonlyMap<FlowName, Flow>,
): Promise<ReadonlyMap<FlowName, number>> {
  const before = new Map<FlowName, number>();
  for (const [name, flow] of flows) before.set(name, await flow.process.cpuMs());
  await systemClock.sleep(plan.cost.idleMs);
  const perSecond = new Map<FlowName, number>();
  for (const [name, flow] of flows) {
    const usedMs = (await flow.process.cpuMs()) - (before.get(name) ?? 0);
    perSecond.set(name, (usedMs / plan.cost.idleMs) * 1_000);
  }
  return perSecond;
}

function headlines(found: ReadonlyMap<FlowName, Rounds>): readonly Headline[] {
  const [sotto, postgres, usual, ourHash] = (
    ['sotto', 'postgres', 'usual', 'ourHash'] as const
  ).map((name) => found.get(name));
  if (sotto === undefined || usual === undefined || ourHash === undefined) return [];
  const limit = nativeLimit(readNativeRun(), calibrationMs());
  const beside = (ms: number): Rounds => roundsOf(sotto.rounds.map((each) => each / ms));
  return [
    {
      what: 'processor time per relayed withdrawal, compared with the native limit',
      sotto: `${spread(sotto)} ms`,
      usual: `${spread(usual)} ms`,
      ourHash: `${spread(ourHash)} ms`,
      native: `${figure(limit.one)} ms; proofs in batches ${figure(limit.batched)} (converted by ${figure(limit.factor)})`,
      ratio: multiple(beside(limit.one)),
      wanted: '≤ 2×',
    },
    {
      what: 'processor time, compared with the usual flow',
      sotto: '',
      ratio: part(ratiosOf(sotto, usual)),
      wanted: '≤ 1/14',
    },
    {
      what: 'processor time, compared with the usual flow with our hash',
      sotto: '',
      ratio: part(ratiosOf(sotto, ourHash)),
      wanted: '≤ 1×',
    },
    ...(postgres === undefined
      ? []
      : [
          {
            what: 'processor time on PostgreSQL, compared with SQLite',
            sotto: `${spread(postgres)} ms`,
            ratio: multiple(ratiosOf(postgres, sotto)),
            wanted: '≤ 1.1×',
          },
        ]),
  ];
}
